/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: arrays at the end of a structure may be longer than declared */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next;
struct rest {
    int count;
    int slots[1];
};

static void *work(void *arg)
{
    int i = atomic_fetch_add(&next, 1);
    struct rest *r = malloc(sizeof *r + sizeof(int));
    r->count = 2;
    r->slots[i] = 1;
    free(r);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    return 0;
}

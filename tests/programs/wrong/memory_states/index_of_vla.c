/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: dfs */
/* note: the length is known at run time */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next;

static void *work(void *arg)
{
    int i = atomic_fetch_add(&next, 1);
    int slots[2 - i];
    slots[0] = 0;
    slots[1] = 1;
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

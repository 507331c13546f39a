/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: dfs */
/* note: an array on the stack */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next;

static void *work(void *arg)
{
    int i = atomic_fetch_add(&next, 1);
    int slots[1] = {0}, others[2] = {0};
    slots[i] = 1;
    if (others[0] + slots[0] > 1)
        abort();
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

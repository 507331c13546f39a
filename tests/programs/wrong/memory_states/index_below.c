/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: dfs */
/* note: an index below 0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next;
static int slots[2];

static void *work(void *arg)
{
    int i = atomic_fetch_add(&next, 1);
    slots[i - 1] = i;
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

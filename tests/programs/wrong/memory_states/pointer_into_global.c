/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds|crash */
/* mode: dfs */
/* only: gcc */
/* note: a pointer whose array the compiler can name */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int next;
static int slots[1], others[4];

static inline void put(int *p, int i)
{
    p[i] = i;
}

static void *work(void *arg)
{
    int i = atomic_fetch_add(&next, 1);
    put(slots, i);
    if (others[0])
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

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --fold */
/* note: what a round in vain wrote to the heap is not always written again */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *work(void *unused)
{
    int *first = calloc(1, sizeof *first);
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    do
        if (seen == 0)
            *first = 1;
    while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, memory_order_relaxed,
                                                    memory_order_relaxed));
    assert(seen == 0 || *first == 0); /* fails where it found 0, and another one was faster */
    free(first);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --fold */
/* note: rounds write to memory that only this thread knows, and read there before they write again */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int seen, rounds;
};

static atomic_int x;

static void *work(void *unused)
{
    struct node *n = calloc(1, sizeof *n);
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    do {
        n->seen = seen;
        n->rounds++;
    } while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 1, memory_order_relaxed,
                                                      memory_order_relaxed));
    assert(n->seen == seen);
    assert(n->rounds == 1);
    free(n);
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

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* races: violated assert */
/* sc: holds */
/* tso: holds */
/* mode: dfs */
/* flags-plumb: --weak-cas */
/* only: gcc */
/* note: nobody else takes what is there, so the exchange cannot fail but for no reason, and then it is relaxed */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int data;

static void *take(void *unused)
{
    int full = 1;
    if (atomic_load_explicit(&state, memory_order_relaxed) == full) {
        atomic_compare_exchange_weak_explicit(&state, &full, 2, memory_order_acquire, memory_order_relaxed);
        assert(data == 1);
    }
    return unused;
}

int main(void)
{
    pthread_t taker;
    pthread_create(&taker, NULL, take, NULL);
    data = 1;
    atomic_store_explicit(&state, 1, memory_order_release);
    pthread_join(taker, NULL);
}

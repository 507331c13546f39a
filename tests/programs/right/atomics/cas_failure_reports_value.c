/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a failed CAS stores what it saw in `expected`, and synchronizes with its failure order */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int message;

static void *publish(void *arg)
{
    (void)arg;
    message = 42;
    atomic_store_explicit(&state, 7, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    int expected = 100;
    int done = atomic_compare_exchange_strong_explicit(&state, &expected, 1, memory_order_acq_rel,
                                                       memory_order_acquire);
    assert(!done);
    assert(expected == 0 || expected == 7);
    if (expected == 7)
        assert(message == 42);
    pthread_join(t, NULL);
    return 0;
}

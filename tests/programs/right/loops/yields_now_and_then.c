/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* mode: all */
/* note: counters that say only when to yield do not matter: both loops come back */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag, data;

static void *wait_with_period(void *arg)
{
    int n = 0;
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        if (++n > 100) {
            sched_yield();
            n = 0;
        }
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    return arg;
}

static void *wait_and_count(void *arg)
{
    unsigned spins = 0;
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        if (++spins % 64 == 0)
            sched_yield();
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_with_period, NULL);
    pthread_create(&two, NULL, wait_and_count, NULL);
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

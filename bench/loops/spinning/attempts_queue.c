/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert|race|deadlock */
/* note: a ring whose readers try tickets so many times, then take a slow path under a lock; wrong: there a look and a store take what is there, not an exchange */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SPINS
#define SPINS 1000
#endif

static atomic_int slot, taken;
static pthread_mutex_t slow = PTHREAD_MUTEX_INITIALIZER;

static int take(void)
{
    for (int attempt = 0; attempt < SPINS; attempt++) {
        int value = atomic_exchange_explicit(&slot, 0, memory_order_acq_rel);
        if (value)
            return value;
    }
    pthread_mutex_lock(&slow);
    int value;
#ifdef WRONG
    while (!(value = atomic_load_explicit(&slot, memory_order_acquire)))
        ;
    atomic_store_explicit(&slot, 0, memory_order_relaxed);
#else
    while (!(value = atomic_exchange_explicit(&slot, 0, memory_order_acq_rel)))
        ;
#endif
    pthread_mutex_unlock(&slow);
    return value;
}

static void *reader(void *arg)
{
    atomic_fetch_or(&taken, take());
    return arg;
}

static void put(int value)
{
    int empty = 0;
    while (!atomic_compare_exchange_weak_explicit(&slot, &empty, value, memory_order_release,
                                                  memory_order_relaxed))
        empty = 0;
}

static void *writer(void *arg)
{
    put(1);
    put(2);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int k = 0; k < 3; k++)
        pthread_join(threads[k], NULL);
    assert(atomic_load(&taken) == 3);
    return 0;
}

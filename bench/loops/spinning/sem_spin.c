/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: a semaphore that spins before it sleeps in the kernel; wrong: who gives looks at an old count to see whether there are sleepers */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef SPINS
#define SPINS 1000
#endif

static atomic_int count;
static sem_t sleepers;
static int item;

static void take(void)
{
    for (int spin = SPINS; spin > 0; spin--) {
        int old = atomic_load_explicit(&count, memory_order_relaxed);
        if (old > 0 && atomic_compare_exchange_strong_explicit(&count, &old, old - 1, memory_order_acquire,
                                                               memory_order_relaxed))
            return;
        atomic_signal_fence(memory_order_acquire);
    }
    if (atomic_fetch_sub_explicit(&count, 1, memory_order_acquire) > 0)
        return;
    sem_wait(&sleepers);
}

static void give(void)
{
#ifdef WRONG
    int old = atomic_load_explicit(&count, memory_order_relaxed);
    atomic_fetch_add_explicit(&count, 1, memory_order_release);
#else
    int old = atomic_fetch_add_explicit(&count, 1, memory_order_release);
#endif
    if (old < 0)
        sem_post(&sleepers);
}

static void *consume(void *arg)
{
    take();
    assert(item == 1);
    return arg;
}

int main(void)
{
    pthread_t consumer;
    sem_init(&sleepers, 0, 0);
    pthread_create(&consumer, NULL, consume, NULL);
    item = 1;
    give();
    pthread_join(consumer, NULL);
    return 0;
}

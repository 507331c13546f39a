/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a semaphore looks ten thousand times before it sleeps: two ways to find it, and sleeping */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int count;
static sem_t sleepers;
static int data;

static void wait(void)
{
    int old, spin = 10000;
    while (spin--) {
        old = atomic_load_explicit(&count, memory_order_relaxed);
        if (old > 0 && atomic_compare_exchange_strong_explicit(&count, &old, old - 1, memory_order_acquire,
                                                               memory_order_relaxed))
            return;
    }
    if (atomic_fetch_sub_explicit(&count, 1, memory_order_acquire) <= 0)
        sem_wait(&sleepers);
}

static void *run(void *arg)
{
    wait();
    assert(data == 1);
    return arg;
}

int main(void)
{
    pthread_t waiter;
    sem_init(&sleepers, 0, 0);
    pthread_create(&waiter, NULL, run, NULL);
    data = 1;
    if (atomic_fetch_add_explicit(&count, 1, memory_order_release) < 0)
        sem_post(&sleepers);
    pthread_join(waiter, NULL);
    return 0;
}

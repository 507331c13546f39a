/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the counter makes every round a new state, yet nothing changes outside */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void acquire(void)
{
    unsigned delay = 1;
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) {
        for (unsigned i = 0; i < delay; i++)
            sched_yield();
        if (delay < 8)
            delay *= 2;
    }
}

static void *add(void *arg)
{
    (void)arg;
    acquire();
    counter++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}

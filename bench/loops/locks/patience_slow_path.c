/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race|assert */
/* note: ten tries to take the lock, then the slow path; wrong: it changes the total with the mutex of the waiters only */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { TRIES = 10 };

static atomic_int fast;
static pthread_mutex_t waiters = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add_slowly(void)
{
    pthread_mutex_lock(&waiters);
#ifndef WRONG
    while (atomic_exchange_explicit(&fast, 1, memory_order_acquire))
        ;
#endif
    total++;
#ifndef WRONG
    atomic_store_explicit(&fast, 0, memory_order_release);
#endif
    pthread_mutex_unlock(&waiters);
}

static void *add(void *arg)
{
    for (int i = 0; i < TRIES; i++)
        if (!atomic_exchange_explicit(&fast, 1, memory_order_acquire)) {
            total++;
            atomic_store_explicit(&fast, 0, memory_order_release);
            return arg;
        }
    add_slowly();
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(total == 2);
    return 0;
}

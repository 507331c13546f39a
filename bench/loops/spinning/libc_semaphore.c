/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: a semaphore of a C library: waits while nobody else waits, then counts itself and sleeps; wrong: it counts itself too late */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SPINS
#define SPINS 1000
#endif

static atomic_int value, waiters;

static int try_take(void)
{
    int found;
    while ((found = atomic_load(&value)) > 0)
        if (atomic_compare_exchange_strong(&value, &found, found - 1))
            return 1;
    return 0;
}

static void sleep_while(int expected)
{
    syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static void take(void)
{
    int spins = SPINS;
    while (spins-- && atomic_load(&value) <= 0 && !atomic_load(&waiters))
        ;
    while (!try_take()) {
#ifdef WRONG
        sleep_while(0);
        atomic_fetch_add(&waiters, 1);
#else
        atomic_fetch_add(&waiters, 1);
        sleep_while(0);
#endif
        atomic_fetch_sub(&waiters, 1);
    }
}

static void give(void)
{
    atomic_fetch_add(&value, 1);
    if (atomic_load(&waiters))
        syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *consume(void *arg)
{
    take();
    return arg;
}

int main(void)
{
    pthread_t consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    give();
    pthread_join(consumer, NULL);
    assert(atomic_load(&value) == 0);
    return 0;
}

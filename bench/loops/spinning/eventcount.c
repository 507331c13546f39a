/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: an event count: waiters take a key, look once more, spin and sleep; wrong: the key is taken after the spinning */
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

static atomic_uint epoch;
static atomic_int waiters, ready;

static void wait_for(unsigned key)
{
    for (int k = 0; k < SPINS; k++)
        if (atomic_load(&epoch) != key)
            return;
#ifdef WRONG
    key = atomic_load(&epoch);
#endif
    while (atomic_load(&epoch) == key)
        syscall(SYS_futex, &epoch, FUTEX_WAIT_PRIVATE, key, NULL, NULL, 0);
}

static void *consume(void *arg)
{
    while (!atomic_load(&ready)) {
        atomic_fetch_add(&waiters, 1);
        unsigned key = atomic_load(&epoch);
        if (!atomic_load(&ready))
            wait_for(key);
        atomic_fetch_sub(&waiters, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    atomic_store(&ready, 1);
    atomic_fetch_add(&epoch, 1);
    if (atomic_load(&waiters) > 0)
        syscall(SYS_futex, &epoch, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    pthread_join(consumer, NULL);
    return 0;
}

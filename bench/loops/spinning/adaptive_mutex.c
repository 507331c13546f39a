/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: an adaptive mutex: spins, then announces itself and sleeps; wrong: it sleeps on the word as it found it before */
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

static atomic_int word; /* 0: free, 1: held, 2: held, and there may be sleepers */
static int counter;

static void sleep_on(int value)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void lock(void)
{
    int found = 0;
    for (int k = 0; k < SPINS; k++) {
        found = 0;
        if (atomic_compare_exchange_strong_explicit(&word, &found, 1, memory_order_acquire,
                                                    memory_order_relaxed))
            return;
    }
#ifdef WRONG
    if (found == 1)
        sleep_on(1);
#endif
    while (atomic_exchange_explicit(&word, 2, memory_order_acquire) != 0)
        sleep_on(2);
}

static void unlock(void)
{
    if (atomic_exchange_explicit(&word, 0, memory_order_release) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *run(void *arg)
{
    lock();
    counter++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: an adaptive lock: spins a while, then sleeps on a futex; wrong: sleeps without saying so */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPINS = 50 };

static atomic_int word; /* 0: free, 1: held, 2: held, and there may be sleepers */
static int counter;

static void park(void)
{
#ifdef WRONG
    int held = 1;
    atomic_compare_exchange_strong(&word, &held, 1);
    if (held != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
#else
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
#endif
}

static void lock(void)
{
    for (int i = 0; i < SPINS; i++) {
        int free = 0;
        if (atomic_load_explicit(&word, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_weak_explicit(&word, &free, 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
    }
#ifdef WRONG
    while (atomic_exchange(&word, 1) != 0)
#else
    while (atomic_exchange(&word, 2) != 0)
#endif
        park();
}

static void *run(void *arg)
{
    lock();
    counter++;
    if (atomic_exchange_explicit(&word, 0, memory_order_release) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
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

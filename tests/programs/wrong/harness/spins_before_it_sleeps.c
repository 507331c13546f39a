/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* flags: -D_GNU_SOURCE */
/* flags-plumb: --test 'add(1) | add(2)' */
/* note: after 1,000 rounds a thread sleeps without having said so: no small bound comes there */
#include <plumb.h>

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPINS = 1000 };

static atomic_int word; /* 0: free, 1: held, 2: held, and there may be sleepers */
static int count;

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
    if (found == 1)
        sleep_on(1);
    while (atomic_exchange_explicit(&word, 2, memory_order_acquire) != 0)
        sleep_on(2);
}

static void unlock(void)
{
    if (atomic_exchange_explicit(&word, 0, memory_order_release) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

PLUMB_OBJECT(counter)

PLUMB_OP(add, int, by)
{
    lock();
    count += by;
    unlock();
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    lock();
    int now = count;
    unlock();
    return PLUMB_INT(now);
}

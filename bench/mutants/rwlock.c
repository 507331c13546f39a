/* SPDX-License-Identifier: Apache-2.0 */
/* A number behind a read-write lock in one word. Right. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int inside; /* readers, or -1: a writer */
static int number;

static void enter_to_read(void)
{
    int seen = atomic_load_explicit(&inside, memory_order_relaxed);
    do
        while (seen < 0)
            seen = atomic_load_explicit(&inside, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&inside, &seen, seen + 1, memory_order_acquire,
                                                    memory_order_relaxed));
}

static void leave_after_reading(void)
{
    atomic_fetch_sub_explicit(&inside, 1, memory_order_release);
}

static void enter_to_write(void)
{
    int nobody = 0;
    while (!atomic_compare_exchange_strong_explicit(&inside, &nobody, -1, memory_order_acquire,
                                                    memory_order_relaxed))
        nobody = 0;
}

static void leave_after_writing(void)
{
    atomic_store_explicit(&inside, 0, memory_order_release);
}

PLUMB_OBJECT()

PLUMB_OP(add, int, n)
{
    enter_to_write();
    int before = number;
    number = before + n;
    leave_after_writing();
    return PLUMB_INT(before);
}

PLUMB_OP(get)
{
    enter_to_read();
    int now = number;
    leave_after_reading();
    return PLUMB_INT(now);
}

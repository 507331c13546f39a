/* SPDX-License-Identifier: Apache-2.0 */
/* A pair of words behind a sequence lock. Right. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int sequence, left, right;

static int enter(void)
{
    for (;;) {
        int s = atomic_load_explicit(&sequence, memory_order_relaxed);
        if (s % 2 == 0 && atomic_compare_exchange_strong_explicit(&sequence, &s, s + 1, memory_order_acquire,
                                                                  memory_order_relaxed))
            return s;
    }
}

static void write_pair(int value)
{
    int s = enter();
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&left, value, memory_order_relaxed);
    atomic_store_explicit(&right, value, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
}

static void read_pair(int *l, int *r)
{
    int before, after;
    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        *l = atomic_load_explicit(&left, memory_order_relaxed);
        *r = atomic_load_explicit(&right, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before % 2 || before != after);
}

PLUMB_OBJECT()

PLUMB_OP(write, int, value)
{
    write_pair(value);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    int l, r;
    read_pair(&l, &r);
    return PLUMB_ARRAY(((plumb_value[]){PLUMB_INT(l), PLUMB_INT(r)}), 2);
}

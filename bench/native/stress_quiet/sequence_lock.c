/* SPDX-License-Identifier: Apache-2.0 */
/* A value in two words behind a sequence lock, with the weakest orders that it needs. */
#include <plumb.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint version; /* odd: being written */
static atomic_long first, second;

PLUMB_OBJECT(register)

PLUMB_SETUP()
{
    atomic_store(&version, 0);
    atomic_store(&first, 0);
    atomic_store(&second, 0);
}

PLUMB_OP(write, long, value)
{
    unsigned v = atomic_load_explicit(&version, memory_order_relaxed);
    while (v & 1 || !atomic_compare_exchange_weak_explicit(&version, &v, v + 1, memory_order_acquire,
                                                           memory_order_relaxed)) {
        sched_yield();
        v = atomic_load_explicit(&version, memory_order_relaxed);
    }
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&first, value, memory_order_relaxed);
    atomic_store_explicit(&second, -value, memory_order_relaxed);
    atomic_store_explicit(&version, v + 2, memory_order_release);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    unsigned before, after;
    long a, b;
    do {
        before = atomic_load_explicit(&version, memory_order_acquire);
        a = atomic_load_explicit(&first, memory_order_relaxed);
        b = atomic_load_explicit(&second, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&version, memory_order_relaxed);
        if (before & 1)
            sched_yield();
    } while (before & 1 || before != after);
    return PLUMB_INT(a + b == 0 ? a : -1);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Peterson's lock. With tso the announcements may still be in buffers when the other one looks, unless FENCE. A thread sees its own in
 * any case. */
#include <assert.h>
#include <plumb.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int value;

PLUMB_OBJECT(register)

static void lock(unsigned me)
{
    atomic_store_explicit(&wants[me], 1, memory_order_release);
    atomic_store_explicit(&turn, (int)(1 - me), memory_order_release);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    assert(atomic_load_explicit(&wants[me], memory_order_relaxed) == 1);
    while (atomic_load_explicit(&wants[1 - me], memory_order_acquire) &&
           atomic_load_explicit(&turn, memory_order_acquire) == (int)(1 - me))
        continue;
}

static void unlock(unsigned me)
{
    atomic_store_explicit(&wants[me], 0, memory_order_release);
}

PLUMB_OP(write, int, v)
{
    unsigned me = plumb_thread() - 1;
    lock(me);
    value = v;
    unlock(me);
    return PLUMB_OK;
}

PLUMB_OP(cas, int, old, int, new)
{
    unsigned me = plumb_thread() - 1;
    lock(me);
    bool same = value == old;
    if (same)
        value = new;
    unlock(me);
    return PLUMB_BOOL(same);
}

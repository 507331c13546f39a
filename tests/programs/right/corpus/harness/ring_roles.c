/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* command: auto */
#include <plumb.h>
#include <stdatomic.h>

enum { SIZE = 4 };
static long slots[SIZE];
static atomic_uint head, tail;

PLUMB_OBJECT(queue)
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)
PLUMB_OP(enq, long, v)
{
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    plumb_assume(t - atomic_load_explicit(&head, memory_order_acquire) < SIZE);
    slots[t % SIZE] = v;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == atomic_load_explicit(&tail, memory_order_acquire))
        return PLUMB_NONE;
    long v = slots[h % SIZE];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return PLUMB_INT(v);
}

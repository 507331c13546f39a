/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one producer and one consumer, with release and acquire alone. */
#include <plumb.h>
#include <stdatomic.h>

enum { CELLS = 1 << 20 };

static long cells[CELLS];
static atomic_ulong head, tail;

PLUMB_OBJECT(queue)
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)

PLUMB_SETUP()
{
    atomic_store(&head, 0);
    atomic_store(&tail, 0);
}

PLUMB_OP(enq, long, value)
{
    unsigned long at = atomic_load_explicit(&tail, memory_order_relaxed);
    plumb_assume(at - atomic_load_explicit(&head, memory_order_acquire) < CELLS);
    cells[at % CELLS] = value;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    unsigned long at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == atomic_load_explicit(&tail, memory_order_acquire))
        return PLUMB_NONE;
    long value = cells[at % CELLS];
    atomic_store_explicit(&head, at + 1, memory_order_release);
    return PLUMB_INT(value);
}

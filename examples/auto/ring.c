/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one producer and one consumer. The roles say so; with -DNO_ROLES any thread may do anything, which is more than
 * it can take. */
#include <plumb.h>
#include <stdatomic.h>

enum { ROOM = 16 };

static int slots[ROOM];
static atomic_uint head, tail;

PLUMB_OBJECT(queue)
#ifndef NO_ROLES
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)
#endif

PLUMB_OP(enq, int, value)
{
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    slots[at % ROOM] = value;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == atomic_load_explicit(&tail, memory_order_acquire))
        return PLUMB_NONE;
    int value = slots[at % ROOM];
    atomic_store_explicit(&head, at + 1, memory_order_release);
    return PLUMB_INT(value);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'enq(1) enq(2) | deq deq' */
/* note: each slot says by itself whether it is full, so the values are right; but what the producer wrote before is not there */
#include <plumb.h>
#include <stdatomic.h>

#ifndef PUBLISH /* right/sync has the orders that are needed */
#define PUBLISH memory_order_relaxed
#define SUBSCRIBE memory_order_relaxed
#endif

static atomic_int slots[4];
static unsigned head, tail; /* each of one thread */

PLUMB_OBJECT(queue)
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)
PLUMB_OP(enq, int, v)
{
    atomic_store_explicit(&slots[tail++ % 4], v, PUBLISH);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    int v = atomic_load_explicit(&slots[head % 4], SUBSCRIBE);
    if (!v)
        return PLUMB_NONE;
    head++;
    return PLUMB_INT(v);
}

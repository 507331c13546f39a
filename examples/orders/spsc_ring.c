/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one producer and one consumer (Lamport). Who finds it full, or empty, waits. */
#include <plumb.h>

#include <stdatomic.h>

enum { SIZE = 2 };

static int items[SIZE];
static atomic_uint written, read_;

PLUMB_OBJECT(queue)
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)
PLUMB_TEST("enq(1) enq(2) enq(3) | deq deq deq")

PLUMB_OP(enq, int, v)
{
    unsigned w = atomic_load_explicit(&written, memory_order_seq_cst);
    while (w - atomic_load_explicit(&read_, memory_order_seq_cst) == SIZE)
        ;
    items[w % SIZE] = v;
    atomic_store_explicit(&written, w + 1, memory_order_seq_cst);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    unsigned r = atomic_load_explicit(&read_, memory_order_seq_cst);
    while (r == atomic_load_explicit(&written, memory_order_seq_cst))
        ;
    int v = items[r % SIZE];
    atomic_store_explicit(&read_, r + 1, memory_order_seq_cst);
    return PLUMB_INT(v);
}

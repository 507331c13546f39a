/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one producer and one consumer, whose operations answer that it is full or empty. -DWAITS: deq waits for an item. */
#include <plumb.h>

#include <stdatomic.h>

enum { SIZE = 2 };

static atomic_uint head, tail;
static int items[SIZE];

PLUMB_OBJECT()
PLUMB_ROLE(producer, put)
PLUMB_ROLE(consumer, take)
PLUMB_TEST("put(1) put(2) | take take")

PLUMB_OP(put, int, v)
{
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        return PLUMB_FALSE;
    items[t % SIZE] = v;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
    return PLUMB_TRUE;
}

PLUMB_OP(take)
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    while (atomic_load_explicit(&tail, memory_order_acquire) == h) {
#ifndef WAITS
        return PLUMB_NONE;
#endif
    }
    int v = items[h % SIZE];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return PLUMB_INT(v);
}

// SPDX-License-Identifier: Apache-2.0
// craflin/LockFreeQueue, LockFreeQueueCpp11.h: a ring for several producers and consumers.
#include <plumb.h>

#include <new>

#include <LockFreeQueueCpp11.h>

static LockFreeQueueCpp11<long> *ring;

PLUMB_OBJECT(queue)
PLUMB_SETUP()
{
    ring = new LockFreeQueueCpp11<long>(4);
}
PLUMB_TEARDOWN()
{
    delete ring;
}
PLUMB_OP(enq, long, v)
{
    ring->push(v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    long v;
    return ring->pop(v) ? PLUMB_INT(v) : PLUMB_NONE;
}

// SPDX-License-Identifier: Apache-2.0
// Miaoshuai/lockFreeQueue: a linked queue for several producers and consumers.
#include <plumb.h>

#include <lockFreeQueue.h>

static LockFreeQueue<long> *queue;

PLUMB_OBJECT(queue)
PLUMB_VALUES(1..)
PLUMB_SETUP()
{
    queue = new LockFreeQueue<long>;
}
PLUMB_OP(enq, long, v)
{
    queue->push_back(v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    long v = queue->pop_front();
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

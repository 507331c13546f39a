// SPDX-License-Identifier: Apache-2.0
// joshuagawley/jglockfree, queue.h: a linked queue with hazard pointers and free lists.
#include <plumb.h>

#include <jglockfree/queue.h>

static jglockfree::Queue<long> queue;

PLUMB_OBJECT(queue)
PLUMB_OP(enq, long, v)
{
    queue.Enqueue(v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    auto v = queue.Dequeue();
    return v ? PLUMB_INT(*v) : PLUMB_NONE;
}

// SPDX-License-Identifier: Apache-2.0
// supermartian/lockfree-queue: a linked queue; its own test has four producers and one consumer.
#include <plumb.h>

#include <pkt_queue.h>

static struct queue_root *queue;

PLUMB_OBJECT(queue)
PLUMB_VALUES(1..)
PLUMB_ROLE(consumer, deq)
PLUMB_SETUP()
{
    init_queue(&queue);
}
PLUMB_OP(enq, long, v)
{
    queue_add(queue, (void *)v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    void *v = queue_get(queue);
    return v ? PLUMB_INT((long)v) : PLUMB_NONE;
}

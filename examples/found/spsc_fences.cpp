// SPDX-License-Identifier: Apache-2.0
// mstump/queues, spsc-queue.hpp: a linked queue for one producer and one consumer.
#include <plumb.h>

#include <cstddef>
#include <type_traits>

#include <spsc-queue.hpp>

static spsc_queue_t<long> *queue;

PLUMB_OBJECT(queue)
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)
PLUMB_SETUP()
{
    queue = new spsc_queue_t<long>;
}
PLUMB_OP(enq, long, v)
{
    queue->enqueue(v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    long v;
    return queue->dequeue(v) ? PLUMB_INT(v) : PLUMB_NONE;
}

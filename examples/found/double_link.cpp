// SPDX-License-Identifier: Apache-2.0
// pramalhe/ConcurrencyFreaks, CPP/queues/CRDoubleLinkQueue.hpp: nodes with links in both directions, hazard pointers.
#include <plumb.h>

#include <functional>
#include <stdexcept>
#include <vector>

#include <CRDoubleLinkQueue.hpp>

static CRDoubleLinkQueue<long> *queue;
static long items[9];

PLUMB_OBJECT(queue)
PLUMB_VALUES(0..8, distinct)
PLUMB_SETUP()
{
    queue = new CRDoubleLinkQueue<long>(4); // never destroyed
}
PLUMB_OP(enq, long, v)
{
    items[v] = v;
    queue->enqueue(&items[v], plumb_thread());
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    long *item = queue->dequeue(plumb_thread());
    return item ? PLUMB_INT(*item) : PLUMB_NONE;
}

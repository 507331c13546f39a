// SPDX-License-Identifier: Apache-2.0
// pramalhe/ConcurrencyFreaks, CPP/queues/CRTurnQueue.hpp: a wait-free queue; what happens when it is destroyed.
#include <plumb.h>

#include <functional>
#include <stdexcept>
#include <vector>

#include <CRTurnQueue.hpp>

static CRTurnQueue<long> *queue;
static long items[9];

PLUMB_OBJECT(queue)
PLUMB_VALUES(0..8, distinct)
PLUMB_SETUP()
{
    queue = new CRTurnQueue<long>(4);
}
#ifdef DESTROY
PLUMB_TEARDOWN()
{
    delete queue;
}
#endif
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

// SPDX-License-Identifier: Apache-2.0
// darkautism/lfqueue: a linked queue for several consumers, with hazard pointers.
#include <plumb.h>

#include <lfq.h>

static struct lfq_ctx queue;

PLUMB_OBJECT(queue)
PLUMB_VALUES(1..)
PLUMB_SETUP()
{
    lfq_init(&queue, 4);
}
PLUMB_OP(enq, long, v)
{
    lfq_enqueue(&queue, (void *)v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    void *v = lfq_dequeue_tid(&queue, plumb_thread());
    return v ? PLUMB_INT((long)v) : PLUMB_NONE;
}

// SPDX-License-Identifier: Apache-2.0
// erez-strauss/lockfree_mpmc_queue, mpmc_queue.h: a ring whose places hold a number and an element in one word.
#include <plumb.h>

#include <mpmc_queue.h>

static es::lockfree::mpmc_queue<int, 4> ring;

PLUMB_OBJECT(queue(cap=4))
PLUMB_OP(enq, int, v)
{
    return PLUMB_BOOL(ring.push(v));
}
PLUMB_OP(deq)
{
    int v;
    return ring.pop(v) ? PLUMB_INT(v) : PLUMB_NONE;
}

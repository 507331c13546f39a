/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of two places, as a harness: what comes out has to have been put in before. */
#include "sites.h"
#include <plumb.h>

static atomic_int cells[2];
static int front, back;

PLUMB_OBJECT(queue)
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)
PLUMB_TEST("enq(1) enq(2) | deq deq")

PLUMB_OP(enq, int, v)
{
    atomic_store_explicit(&cells[back++], v, A);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    int v = atomic_load_explicit(&cells[front], B);
    front += v != 0;
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

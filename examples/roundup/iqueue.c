/* SPDX-License-Identifier: Apache-2.0 */
/* A queue that may answer "empty" although it never was.
 *
 * enq takes the next place of an array and puts its item there. deq looks at every place that was taken when
 * it began, once.
 *
 * The bug: it then takes the queue for empty. Meanwhile others may have added an item further back and
 * taken one further in front, so that there was one inside all the time. The Herlihy-Wing queue
 * (herlihy_wing.c) looks again instead. */
#include <plumb.h>
#include <stdatomic.h>

enum { PLACES = 16 };

static atomic_int places[PLACES]; /* 0: no item yet, or no longer */
static atomic_int back;

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, item)
{
    int at = atomic_fetch_add_explicit(&back, 1, memory_order_acq_rel);
    atomic_store_explicit(&places[at], item, memory_order_release);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    int end = atomic_load_explicit(&back, memory_order_acquire);
    for (int i = 0; i < end; i++) {
        int item = atomic_exchange_explicit(&places[i], 0, memory_order_acq_rel);
        if (item)
            return PLUMB_INT(item);
    }
    return PLUMB_NONE;
}

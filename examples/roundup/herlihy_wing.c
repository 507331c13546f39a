/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Herlihy and Wing: linearizable, though no step of enq is the one at which it takes effect.
 *
 * enq takes the next place of an array and puts its item there; deq looks at the places that were taken when it began, from
 * the front, until it finds an item. It waits while the queue is empty, so tests must not ask for more
 * than they add. */
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

/* Once over the places; 0: nothing. */
static int sweep(void)
{
    int end = atomic_load_explicit(&back, memory_order_acquire);
    for (int i = 0; i < end; i++) {
        int item = atomic_exchange_explicit(&places[i], 0, memory_order_acq_rel);
        if (item)
            return item;
    }
    return 0;
}

PLUMB_OP(deq)
{
    int item;
    do
        item = sweep();
    while (!item);
    return PLUMB_INT(item);
}

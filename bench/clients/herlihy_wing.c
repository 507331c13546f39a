/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Herlihy and Wing. deq waits while it is empty. An item is looked at before it is taken, so that a look in
 * vain writes nothing. */
#include <plumb.h>
#include <stdatomic.h>

enum { PLACES = 8 };

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
    for (;;) {
        int end = atomic_load_explicit(&back, memory_order_acquire);
        for (int i = 0; i < end; i++) {
            int item = atomic_load_explicit(&places[i], memory_order_acquire);
            if (item && atomic_compare_exchange_strong_explicit(&places[i], &item, 0, memory_order_acq_rel,
                                                                memory_order_acquire))
                return PLUMB_INT(item);
        }
    }
}

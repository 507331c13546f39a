/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Herlihy and Wing: deq waits while there is nothing. Right. */
#include <plumb.h>
#include <stdatomic.h>

enum { PLACES = 16 };

static atomic_int places[PLACES]; /* 0: nothing there, or no longer */
static atomic_int back;

static int sweep(void)
{
    int end = atomic_load_explicit(&back, memory_order_acquire);
    for (int i = 0; i < end; i++) {
        int value = atomic_exchange_explicit(&places[i], 0, memory_order_acq_rel);
        if (value)
            return value;
    }
    return 0;
}

PLUMB_OBJECT()

PLUMB_OP(enq, int, value)
{
    int at = atomic_fetch_add_explicit(&back, 1, memory_order_acq_rel);
    atomic_store_explicit(&places[at], value, memory_order_release);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    int value;
    do
        value = sweep();
    while (!value);
    return PLUMB_INT(value);
}

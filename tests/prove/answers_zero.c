/* SPDX-License-Identifier: Apache-2.0 */
/* An empty queue answers 0, which nobody has added, and not that it is empty. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int slot;

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, v)
{
    int none = 0;
    return atomic_compare_exchange_strong(&slot, &none, v) ? PLUMB_OK : PLUMB_BOOL(false);
}

PLUMB_OP(deq)
{
    return PLUMB_INT(atomic_exchange(&slot, 0));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A counter whose lock draws tickets while it waits: no round leads back to a state that was there before. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int locked, tickets;
static long value;

PLUMB_OBJECT(counter)
PLUMB_OP(fetch_add, long, n)
{
    while (atomic_exchange(&locked, 1))
        if (atomic_fetch_add(&tickets, 1) < 0) /* there are no more */
            return PLUMB_INT(-1);
    long old = value;
    value = old + n;
    atomic_store(&locked, 0);
    return PLUMB_INT(old);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of one item, which is wrong after an addition was refused three times: refused ones do not count as items inside. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int item, refused;

PLUMB_OBJECT(queue(cap = 1, weak))

PLUMB_OP(enq, int, v)
{
    int free = 0;
    bool fits = atomic_compare_exchange_strong(&item, &free, v);
    if (!fits && atomic_load(&refused) < 3)
        atomic_fetch_add(&refused, 1);
    return PLUMB_BOOL(fits);
}

PLUMB_OP(deq)
{
    int v = atomic_exchange(&item, 0);
    if (v && atomic_load(&refused) >= 3)
        atomic_store(&item, v);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

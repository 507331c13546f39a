/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --test 'enq(1) => deq enq(2) deq | enq(3) deq' */
/* note: deq reads tail before head: it reports empty although it never was */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long items[8];
static atomic_int head, tail;

PLUMB_OBJECT(queue)
PLUMB_OP(enq, long, v)
{
    atomic_store(&items[atomic_fetch_add(&tail, 1)], v);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    for (;;) {
        int t = atomic_load(&tail), h = atomic_load(&head);
        if (h >= t)
            return PLUMB_NONE;
        long v = atomic_load(&items[h]);
        if (v && atomic_compare_exchange_strong(&head, &h, h + 1))
            return PLUMB_INT(v);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A queue with room for one. Its compare and swap compares items, and 0 is none: right, whether items are equal or not. HASTY: right with different ones only. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int place;
#ifdef HASTY
static atomic_int last; /* that was taken: it is not taken again */
#endif

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, v)
{
    int none = 0;
    return PLUMB_BOOL(atomic_compare_exchange_strong(&place, &none, v));
}

PLUMB_OP(deq)
{
    int v = atomic_load(&place);
#ifdef HASTY
    if (v == atomic_load(&last))
        return PLUMB_NONE;
    atomic_store(&last, v);
#endif
    return v && atomic_compare_exchange_strong(&place, &v, 0) ? PLUMB_INT(v) : PLUMB_NONE;
}

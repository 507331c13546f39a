/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invariant */
/* flags-plumb: --test 'grow | shrink' */
/* note: true at the end, false when only shrink has returned */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int length;

PLUMB_OBJECT()
PLUMB_OP(grow)
{
    atomic_fetch_add(&length, 1);
    return PLUMB_OK;
}
PLUMB_OP(shrink)
{
    atomic_fetch_sub(&length, 1);
    return PLUMB_OK;
}
PLUMB_INVARIANT(between_calls)
{
    return atomic_load(&length) >= 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags-plumb: --test 'grow => shrink | grow' */
/* note: false in the middle of shrink, and true whenever no call is open */
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
    atomic_fetch_sub(&length, 2);
    atomic_fetch_add(&length, 1);
    return PLUMB_OK;
}
PLUMB_INVARIANT(between_calls)
{
    return atomic_load(&length) >= 0;
}

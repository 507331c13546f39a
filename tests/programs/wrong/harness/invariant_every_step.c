/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invariant */
/* mode: dfs */
/* flags-plumb: --test 'grow => shrink | grow' */
/* all: skipped */
/* note: true whenever no call is open, and false in the middle of shrink */
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
PLUMB_INVARIANT(every_step)
{
    return atomic_load(&length) >= 0;
}

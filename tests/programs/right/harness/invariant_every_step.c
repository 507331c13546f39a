/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags-plumb: --test 'grow => shrink | grow' */
/* all: skipped */
/* note: the length is never below 0, not even in between */
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
PLUMB_INVARIANT(every_step)
{
    return atomic_load(&length) >= 0;
}

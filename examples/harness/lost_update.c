/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that reads, adds and writes in two steps: an addition in between is lost.
 *
 *     plumb check lost_update.c --test 'add(1) | add(1) => get' --mode dfs
 */
#include <plumb.h>

#include <stdatomic.h>

static atomic_long count;

PLUMB_OBJECT(counter)

PLUMB_OP(add, long, n)
{
    long old = atomic_load(&count);
    atomic_store(&count, old + n);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count));
}

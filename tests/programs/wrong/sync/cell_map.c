/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'put(1,5) put(2,6) | get(2) get(1)' */
/* note: a cell for each key: every get finds a value that is right at that moment */
#include <plumb.h>
#include <stdatomic.h>

#ifndef PUBLISH /* right/sync has the orders that are needed */
#define PUBLISH memory_order_relaxed
#define SUBSCRIBE memory_order_relaxed
#endif

static atomic_int cells[4];

PLUMB_OBJECT(map)
PLUMB_OP(put, int, key, int, value)
{
    atomic_store_explicit(&cells[key], value, PUBLISH);
    return PLUMB_OK;
}
PLUMB_OP(get, int, key)
{
    int v = atomic_load_explicit(&cells[key], SUBSCRIBE);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

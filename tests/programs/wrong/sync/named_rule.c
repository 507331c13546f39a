/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'put(1) | get' */
/* note: no specification, but a rule */
#include <plumb.h>
#include <stdatomic.h>

#ifndef PUBLISH /* right/sync has the orders that are needed */
#define PUBLISH memory_order_relaxed
#define SUBSCRIBE memory_order_relaxed
#endif

static atomic_int box;

PLUMB_OBJECT()
PLUMB_SYNC(put, get)
PLUMB_OP(put, int, v)
{
    atomic_store_explicit(&box, v, PUBLISH);
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    int v = atomic_load_explicit(&box, SUBSCRIBE);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

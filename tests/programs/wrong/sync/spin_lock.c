/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'acquire release | acquire release' */
/* note: no two threads have it at a time; what one of them wrote the next may not see */
#include <plumb.h>
#include <stdatomic.h>

#ifndef PUBLISH /* right/sync has the orders that are needed */
#define PUBLISH memory_order_relaxed
#define SUBSCRIBE memory_order_relaxed
#endif

static atomic_int held;

PLUMB_OBJECT(lock)
PLUMB_OP(acquire)
{
    while (atomic_exchange_explicit(&held, 1, SUBSCRIBE))
        ;
    return PLUMB_OK;
}
PLUMB_OP(release)
{
    atomic_store_explicit(&held, 0, PUBLISH);
    return PLUMB_OK;
}

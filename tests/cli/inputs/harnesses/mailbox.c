/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>

#ifndef PUBLISH
#define PUBLISH memory_order_relaxed
#endif
#ifndef SUBSCRIBE
#define SUBSCRIBE memory_order_relaxed
#endif

static atomic_int box;

#ifdef REGISTER
PLUMB_OBJECT(register(null))
#else
PLUMB_OBJECT()
#endif
#ifdef MISNAMED
PLUMB_SYNC(put, take)
#elif defined NO_ARGUMENT
PLUMB_SYNC(get, put)
#elif defined RULE
PLUMB_SYNC(put, get)
#endif

#ifdef REGISTER
PLUMB_OP(write, int, v)
#else
PLUMB_OP(put, int, v)
#endif
{
    atomic_store_explicit(&box, v, PUBLISH);
    return PLUMB_OK;
}

#ifdef REGISTER
PLUMB_OP(read)
#else
PLUMB_OP(get)
#endif
{
    int v = atomic_load_explicit(&box, SUBSCRIBE);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

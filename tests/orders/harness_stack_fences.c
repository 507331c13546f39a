/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of one place that is announced and taken with fences. */
#include "sites.h"
#include <plumb.h>

static atomic_int top;

PLUMB_OBJECT(stack)
PLUMB_TEST("push(1) | pop pop")

PLUMB_OP(push, int, v)
{
    atomic_thread_fence(A);
    atomic_store_explicit(&top, v, memory_order_relaxed);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    int v = atomic_exchange_explicit(&top, 0, memory_order_relaxed);
    atomic_thread_fence(B);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

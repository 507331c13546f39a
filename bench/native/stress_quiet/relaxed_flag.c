/* SPDX-License-Identifier: Apache-2.0 */
/* A flag, relaxed: set and reset are plain stores of the processor. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_bool flag;

PLUMB_OBJECT(event)

PLUMB_SETUP()
{
    atomic_store(&flag, false);
}

PLUMB_OP(set)
{
    atomic_store_explicit(&flag, true, memory_order_relaxed);
    return PLUMB_OK;
}

PLUMB_OP(reset)
{
    atomic_store_explicit(&flag, false, memory_order_relaxed);
    return PLUMB_OK;
}

PLUMB_OP(is_set)
{
    return PLUMB_BOOL(atomic_load_explicit(&flag, memory_order_relaxed));
}

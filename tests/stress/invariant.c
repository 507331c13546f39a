/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>

#include <stdatomic.h>

static atomic_int value;

PLUMB_OBJECT()

PLUMB_OP(set, int, v)
{
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_INVARIANT()
{
    return atomic_load(&value) == 0;
}

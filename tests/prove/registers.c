/* SPDX-License-Identifier: Apache-2.0 */
/* A register with a compare and swap. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int value;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}

PLUMB_OP(cas, int, old, int, new)
{
    return PLUMB_BOOL(atomic_compare_exchange_strong(&value, &old, new));
}

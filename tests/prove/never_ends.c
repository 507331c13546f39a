/* SPDX-License-Identifier: Apache-2.0 */
/* A write that finds what it wants to write waits for another value. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int value;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    while (atomic_load(&value) == v)
        continue;
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}

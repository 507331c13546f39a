/* SPDX-License-Identifier: Apache-2.0 */
/* Which slot is used depends on what a function of the C library keeps. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    atomic_store(&value, rand() == 12345 ? 0 : v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}

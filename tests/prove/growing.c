/* SPDX-License-Identifier: Apache-2.0 */
/* A register that counts its calls forever. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int value;
static atomic_ulong calls;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    atomic_fetch_add(&calls, 1);
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* command: auto */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long value;

PLUMB_OBJECT(register)
PLUMB_OP(write, long, v)
{
    atomic_store(&value, v);
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}
PLUMB_OP(cas, long, old, long, fresh)
{
    return PLUMB_BOOL(atomic_compare_exchange_strong(&value, &old, fresh));
}

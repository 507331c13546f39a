/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* command: auto */
/* note: cas compares and stores in two steps; generated tests have to make it succeed */
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
    if (atomic_load(&value) != old)
        return PLUMB_BOOL(false);
    atomic_store(&value, fresh);
    return PLUMB_BOOL(true);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread remembers what it wrote last, and reads that back: not what a register does. */
#include <plumb.h>
#include <stdatomic.h>

static _Thread_local int mine;
static atomic_int value;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    mine = v;
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(mine ? mine : atomic_load(&value));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* command: auto */
/* note: put_if_absent in two steps, without a specification: keys have to meet */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long slots[8];

PLUMB_OBJECT()
PLUMB_OP(put_if_absent, int, key, long, value)
{
    long empty = 0;
    if (atomic_load(&slots[key & 7]) != empty)
        return PLUMB_BOOL(false);
    atomic_store(&slots[key & 7], value);
    return PLUMB_BOOL(true);
}
PLUMB_OP(get, int, key)
{
    return PLUMB_INT(atomic_load(&slots[key & 7]));
}

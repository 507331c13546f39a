/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* command: auto */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long slots[8];

PLUMB_OBJECT()
PLUMB_OP(put_if_absent, int, key, long, value)
{
    long empty = 0;
    return PLUMB_BOOL(atomic_compare_exchange_strong(&slots[key & 7], &empty, value));
}
PLUMB_OP(get, int, key)
{
    return PLUMB_INT(atomic_load(&slots[key & 7]));
}

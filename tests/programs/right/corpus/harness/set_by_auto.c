/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* command: auto */
#include <plumb.h>
#include <stdatomic.h>

static atomic_bool members[8];

PLUMB_OBJECT(set)
PLUMB_OP(add, int, v)
{
    return PLUMB_BOOL(!atomic_exchange(&members[v & 7], true));
}
PLUMB_OP(remove, int, v)
{
    return PLUMB_BOOL(atomic_exchange(&members[v & 7], false));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* command: auto */
/* note: add looks and stores in two steps; generated tests have to use one value twice */
#include <plumb.h>
#include <stdatomic.h>

static atomic_bool members[8];

PLUMB_OBJECT(set)
PLUMB_OP(add, int, v)
{
    if (atomic_load(&members[v & 7]))
        return PLUMB_BOOL(false);
    atomic_store(&members[v & 7], true);
    return PLUMB_BOOL(true);
}
PLUMB_OP(remove, int, v)
{
    return PLUMB_BOOL(atomic_exchange(&members[v & 7], false));
}

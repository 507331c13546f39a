/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'add(1) | add(1)' */
#include <plumb.h>
#include <stdatomic.h>

static atomic_bool members[4];

PLUMB_OBJECT(set)
PLUMB_OP(add, int, v)
{
    return PLUMB_BOOL(!atomic_exchange(&members[v & 3], true));
}
PLUMB_OP(contains, int, v)
{
    return PLUMB_BOOL(atomic_load(&members[v & 3]));
}

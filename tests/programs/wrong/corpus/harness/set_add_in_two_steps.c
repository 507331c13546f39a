/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --test 'add(1) | add(1)' */
/* note: add looks and stores in two steps: two threads both add the same value */
#include <plumb.h>
#include <stdatomic.h>

static atomic_bool members[4];

PLUMB_OBJECT(set)
PLUMB_OP(add, int, v)
{
    if (atomic_load(&members[v & 3]))
        return PLUMB_BOOL(false);
    atomic_store(&members[v & 3], true);
    return PLUMB_BOOL(true);
}
PLUMB_OP(contains, int, v)
{
    return PLUMB_BOOL(atomic_load(&members[v & 3]));
}

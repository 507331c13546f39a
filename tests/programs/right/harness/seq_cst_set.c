/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'add(1) | add(2) | contains(1) contains(2) | contains(2) contains(1)' */
/* note: as wrong/harness/relaxed_set.c, with seq_cst: every reader sees one order */
#include <plumb.h>
#include <stdatomic.h>

static atomic_bool members[4];

PLUMB_OBJECT(set)
PLUMB_OP(add, int, v)
{
    return PLUMB_BOOL(!atomic_exchange(&members[v], 1));
}

PLUMB_OP(contains, int, v)
{
    return PLUMB_BOOL(atomic_load(&members[v]));
}

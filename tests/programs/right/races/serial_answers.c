/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow --test 'add get | add get' */
/* note: serial runs have no graph, and come before an exploration that has one */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int count;
static volatile int hint;

PLUMB_OBJECT()

PLUMB_OP(add)
{
    hint = 1;
    return PLUMB_INT(atomic_fetch_add(&count, 1));
}

PLUMB_OP(get)
{
    int unused = hint;
    return PLUMB_INT(atomic_load(&count) + 0 * unused);
}

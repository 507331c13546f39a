/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --test 'inc | inc' */
/* note: increment and answer are two steps; no specification is named */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int count;

PLUMB_OBJECT()
PLUMB_OP(inc)
{
    atomic_fetch_add(&count, 1);
    return PLUMB_INT(atomic_load(&count));
}

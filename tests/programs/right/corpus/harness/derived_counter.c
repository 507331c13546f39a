/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'inc | inc' */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int count;

PLUMB_OBJECT()
PLUMB_OP(inc)
{
    return PLUMB_INT(atomic_fetch_add(&count, 1) + 1);
}

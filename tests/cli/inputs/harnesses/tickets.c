/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long next;

PLUMB_OBJECT(counter)
PLUMB_OP(fetch_add, long, n)
{
    return PLUMB_INT(atomic_fetch_add(&next, n));
}
PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&next));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* One addition is lost, late in a long round. */
#include <plumb.h>

#include <stdatomic.h>

static atomic_long count, calls;

PLUMB_OBJECT(counter)

PLUMB_OP(add, long, n)
{
    if (atomic_fetch_add(&calls, 1) != 150000)
        atomic_fetch_add(&count, n);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count));
}

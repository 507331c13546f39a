/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong only after more calls than are kept of a round. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long count, calls;

PLUMB_OBJECT(counter)

PLUMB_OP(add, long, n)
{
    atomic_fetch_add(&calls, 1);
    atomic_fetch_add(&count, n);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count) - (atomic_load(&calls) > 1600000));
}

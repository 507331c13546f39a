/* SPDX-License-Identifier: Apache-2.0 */
/* A counter whose addition reads in one step and writes in another: what others add in between is lost. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long count;

PLUMB_OBJECT(counter)

PLUMB_SETUP()
{
    atomic_store(&count, 0);
}

PLUMB_OP(add, long, n)
{
#ifdef FIXED
    atomic_fetch_add(&count, n);
#else
    atomic_store(&count, atomic_load(&count) + n);
#endif
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count));
}

PLUMB_TRY(add, 1, 2, 3)
PLUMB_TEST("add(1) | add(1) => get")

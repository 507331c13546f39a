/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long clicks;

PLUMB_OBJECT()

PLUMB_OP(inc)
{
#ifdef LOST
    atomic_store(&clicks, atomic_load(&clicks) + 1);
#else
    atomic_fetch_add(&clicks, 1);
#endif
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&clicks));
}

PLUMB_TEST("inc inc | inc get")

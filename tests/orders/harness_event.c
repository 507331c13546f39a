/* SPDX-License-Identifier: Apache-2.0 */
/* Set, reset and set again by one thread; the other one waits and looks. */
#include "sites.h"
#include <plumb.h>

static atomic_int on;

PLUMB_OBJECT(event)
PLUMB_TEST("set reset set | wait")

PLUMB_OP(set)
{
    atomic_store_explicit(&on, 1, A);
    return PLUMB_OK;
}

PLUMB_OP(reset)
{
    atomic_store_explicit(&on, 0, B);
    return PLUMB_OK;
}

PLUMB_OP(wait)
{
    while (!atomic_load_explicit(&on, C))
        continue;
    return PLUMB_OK;
}

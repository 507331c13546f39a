/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads count down, a third one waits: updates carry what others have released. */
#include "sites.h"
#include <plumb.h>

static atomic_int left = 2;

PLUMB_OBJECT(latch(2))
PLUMB_TEST("count_down | count_down | wait")

PLUMB_OP(count_down)
{
    atomic_fetch_sub_explicit(&left, 1, A);
    return PLUMB_OK;
}

PLUMB_OP(wait)
{
    while (atomic_load_explicit(&left, B))
        continue;
    return PLUMB_OK;
}

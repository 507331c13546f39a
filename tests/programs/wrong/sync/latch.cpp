/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'count_down | count_down | wait' */
#include <atomic>
#include <plumb.h>

#ifndef PUBLISH // right/sync has the orders that are needed
#define PUBLISH std::memory_order_relaxed
#define SUBSCRIBE std::memory_order_relaxed
#endif

static std::atomic<int> left{2};

PLUMB_OBJECT(latch(2))
PLUMB_OP(count_down)
{
    left.fetch_sub(1, PUBLISH);
    return PLUMB_OK;
}
PLUMB_OP(wait)
{
    while (left.load(SUBSCRIBE) > 0)
        ;
    return PLUMB_OK;
}

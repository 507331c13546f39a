/* SPDX-License-Identifier: Apache-2.0 */
/* C++, a header that is included twice, a test of its own, two objects of which one loses updates. */
#include "once.h"
#include "once_more.h"

#include <atomic>
#include <plumb.h>

static std::atomic<long> good{0}, bad{0};

PLUMB_OBJECT_NAMED(right, counter)
PLUMB_OBJECT_NAMED(wrong, counter)
PLUMB_OP_ON(right, fetch_add, long, n) { return PLUMB_INT(good.fetch_add(n * STEP)); }
PLUMB_OP_ON(wrong, fetch_add, long, n)
{
    long old = bad;
    bad = old + n * STEP;
    return PLUMB_INT(old);
}
PLUMB_TEST("right.fetch_add(1)"); // another one is wanted

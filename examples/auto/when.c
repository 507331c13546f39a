/* SPDX-License-Identifier: Apache-2.0 */
/* A variable that is set when it has an expected value, under names that say nothing to a generator of tests. With -DBUG that
 * takes two steps: found by a larger test, whose arguments are sometimes 0. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int content;

PLUMB_OBJECT()

PLUMB_OP(see)
{
    return PLUMB_INT(atomic_load(&content));
}

PLUMB_OP(set_when, int, expected, int, value)
{
#ifdef BUG
    bool done = atomic_load(&content) == expected;
    if (done)
        atomic_store(&content, value);
    return PLUMB_BOOL(done);
#else
    return PLUMB_BOOL(atomic_compare_exchange_strong(&content, &expected, value));
#endif
}

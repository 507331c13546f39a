/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --test 'try_acquire | try_acquire' */
/* note: try_acquire looks at the number of permits and then decreases it */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int permits = 1;

PLUMB_OBJECT(semaphore(1))
PLUMB_OP(try_acquire)
{
    int old = atomic_load(&permits);
    if (old <= 0)
        return PLUMB_BOOL(false);
    atomic_fetch_sub(&permits, 1);
    return PLUMB_BOOL(true);
}
PLUMB_OP(release)
{
    atomic_fetch_add(&permits, 1);
    return PLUMB_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'try_acquire | try_acquire' */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int permits = 1;

PLUMB_OBJECT(semaphore(1))
PLUMB_OP(try_acquire)
{
    int old = atomic_load(&permits);
    while (old > 0)
        if (atomic_compare_exchange_strong(&permits, &old, old - 1))
            return PLUMB_BOOL(true);
    return PLUMB_BOOL(false);
}
PLUMB_OP(release)
{
    atomic_fetch_add(&permits, 1);
    return PLUMB_OK;
}

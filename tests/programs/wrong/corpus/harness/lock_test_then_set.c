/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --test 'try_acquire | try_acquire' */
/* note: try_acquire tests the flag and sets it in two steps */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int held;

PLUMB_OBJECT(lock)
PLUMB_OP(try_acquire)
{
    if (atomic_load(&held))
        return PLUMB_BOOL(false);
    atomic_store(&held, 1);
    return PLUMB_BOOL(true);
}
PLUMB_OP(release)
{
    atomic_store(&held, 0);
    return PLUMB_OK;
}

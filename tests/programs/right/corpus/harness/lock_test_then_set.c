/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'try_acquire | try_acquire' */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int held;

PLUMB_OBJECT(lock)
PLUMB_OP(try_acquire)
{
    return PLUMB_BOOL(!atomic_exchange(&held, 1));
}
PLUMB_OP(release)
{
    atomic_store(&held, 0);
    return PLUMB_OK;
}

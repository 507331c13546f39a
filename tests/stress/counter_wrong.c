/* SPDX-License-Identifier: Apache-2.0 */
/* Two steps that should be one, with time between them. */
#include <plumb.h>

#include <sched.h>
#include <stdatomic.h>

static atomic_long count;

PLUMB_OBJECT(counter)

PLUMB_OP(add, long, n)
{
    long old = atomic_load(&count);
    sched_yield();
    atomic_store(&count, old + n);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count));
}

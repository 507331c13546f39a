/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long ticks;

PLUMB_OBJECT(counter)

PLUMB_OP(add, long, n)
{
    long seen = atomic_load(&ticks);
    atomic_store(&ticks, seen + n);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&ticks));
}

PLUMB_TEST("add(1) | add(1) => get")

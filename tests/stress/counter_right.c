/* SPDX-License-Identifier: Apache-2.0 */
/* Right, and without a set-up: each round begins with what the program begins with. */
#include <plumb.h>

#include <stdatomic.h>

static atomic_long count;

PLUMB_OBJECT(counter)

PLUMB_OP(add, long, n)
{
    atomic_fetch_add(&count, n);
    return PLUMB_OK;
}

PLUMB_OP(fetch_add, long, n)
{
    return PLUMB_INT(atomic_fetch_add(&count, n));
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count));
}

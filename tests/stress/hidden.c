/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that errs after a hundred additions: small tests do not show it, and there are many executions of them. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int count, additions, others[20];

PLUMB_OBJECT(counter)

PLUMB_OP(add, int, n)
{
    for (int i = 0; i < 20; i++)
        atomic_fetch_add(&others[i], 1);
    atomic_fetch_add(&count, atomic_fetch_add(&additions, 1) < 100 ? n : n + 1);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count));
}

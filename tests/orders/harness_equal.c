/* SPDX-License-Identifier: Apache-2.0 */
/* Equal values in a bag: a take is right if some add of the value happens before it. */
#include "sites.h"
#include <plumb.h>

static atomic_int first, second;

PLUMB_OBJECT(bag)
PLUMB_TEST("add(7) | take | add(7)")

PLUMB_OP(add, int, v)
{
    atomic_int *mine = plumb_thread() == 1 ? &first : &second;
    atomic_store_explicit(mine, v, A);
    return PLUMB_OK;
}

PLUMB_OP(take)
{
    int v = atomic_exchange_explicit(&first, 0, B);
    if (!v)
        v = atomic_exchange_explicit(&second, 0, C);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

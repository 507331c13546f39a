/* SPDX-License-Identifier: Apache-2.0 */
/* A map of one key; removals pass on what they have not seen. */
#include "sites.h"
#include <plumb.h>

static atomic_int value;

PLUMB_OBJECT(map)
PLUMB_TEST("put(1,1) | remove(1) put(1,2) | get(1)")

PLUMB_OP(put, int, k, int, v)
{
    (void)k;
    atomic_exchange_explicit(&value, v, A);
    return PLUMB_OK;
}

PLUMB_OP(remove, int, k)
{
    (void)k;
    int v = atomic_exchange_explicit(&value, 0, B);
    return PLUMB_BOOL(v != 0);
}

PLUMB_OP(get, int, k)
{
    (void)k;
    int v = atomic_load_explicit(&value, C);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

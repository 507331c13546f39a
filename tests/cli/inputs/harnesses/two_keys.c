/* SPDX-License-Identifier: Apache-2.0 */
/* Each key is a register that is right; together they show store buffering. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int values[2];

PLUMB_OBJECT(map)
PLUMB_OP(put, int, k, int, v)
{
    atomic_store_explicit(&values[k], v, memory_order_release);
    return PLUMB_OK;
}
PLUMB_OP(get, int, k)
{
    int v = atomic_load_explicit(&values[k], memory_order_acquire);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

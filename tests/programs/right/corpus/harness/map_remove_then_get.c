/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'put(1, 5) => remove(1) | remove(1)' */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long values[4];

PLUMB_OBJECT(map)
PLUMB_OP(put, int, k, long, v)
{
    atomic_store(&values[k & 3], v);
    return PLUMB_OK;
}
PLUMB_OP(remove, int, k)
{
    return PLUMB_BOOL(atomic_exchange(&values[k & 3], 0) != 0);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --test 'put(1, 5) => remove(1) | remove(1)' */
/* note: remove clears the key after it has answered for the value: two removals succeed */
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
    bool present = atomic_load(&values[k & 3]) != 0;
    atomic_store(&values[k & 3], 0);
    return PLUMB_BOOL(present);
}

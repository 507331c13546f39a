/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: dfs */
/* flags-plumb: --test 'fetch_add(1) | fetch_add(1) get' */
/* note: both add to the same old value */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long value;

PLUMB_OBJECT(counter)

PLUMB_OP(fetch_add, long, n)
{
    long old = atomic_load(&value);
    atomic_store(&value, old + n);
    return PLUMB_INT(old);
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&value));
}

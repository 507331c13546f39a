/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --symmetry --test 'fetch_add(1) | fetch_add(1) | fetch_add(1)' */
/* note: of three operations that are the same, two may find the same value */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long value;

PLUMB_OBJECT(counter)
PLUMB_OP(fetch_add, long, n)
{
    long old = atomic_load(&value);
    if (!atomic_compare_exchange_strong(&value, &old, old + n))
        atomic_store(&value, old + n);
    return PLUMB_INT(old);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invariant */
/* flags-plumb: --test 'add(1) | add(1)' */
/* note: every answer is right, but the two copies of the count differ in the end */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int count, mirror;

PLUMB_OBJECT(counter)

PLUMB_OP(add, int, n)
{
    int now = atomic_fetch_add(&count, n) + n;
    atomic_store(&mirror, now);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&count));
}

PLUMB_INVARIANT()
{
    return atomic_load(&count) == atomic_load(&mirror);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int sum, calls;

PLUMB_OBJECT(counter)

PLUMB_OP(add, int, n)
{
    int seen = atomic_load(&sum);
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&calls, 1);
    atomic_store(&sum, seen + n);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(atomic_load(&sum));
}

PLUMB_TEST("add(1) add(1) get | add(1) get add(1) | get add(1) => get")

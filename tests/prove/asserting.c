/* SPDX-License-Identifier: Apache-2.0 */
/* An assertion that fails when two threads are inside. */
#include <assert.h>
#include <plumb.h>
#include <stdatomic.h>

static atomic_int inside, value;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_store(&value, v);
    atomic_fetch_sub(&inside, 1);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A register with compare-and-set. With -DBUG it compares in one step and sets in another. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int content;

PLUMB_OBJECT(register)

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&content));
}

PLUMB_OP(write, int, value)
{
    atomic_store(&content, value);
    return PLUMB_OK;
}

PLUMB_OP(cas, int, old, int, new)
{
#ifdef BUG
    if (atomic_load(&content) != old)
        return PLUMB_BOOL(false);
    atomic_store(&content, new);
    return PLUMB_BOOL(true);
#else
    return PLUMB_BOOL(atomic_compare_exchange_strong(&content, &old, new));
#endif
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A table without a specification: it is judged by what its operations answer one after the other. With -DBUG,
 * put_if_absent takes two steps. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int values[8];

PLUMB_OP(put_if_absent, int, key, int, value)
{
    int found = 0;
#ifdef BUG
    found = atomic_load(&values[key & 7]);
    if (found == 0)
        atomic_store(&values[key & 7], value);
#else
    atomic_compare_exchange_strong(&values[key & 7], &found, value);
#endif
    return PLUMB_BOOL(found == 0);
}

PLUMB_OP(get, int, key)
{
    int value = atomic_load(&values[key & 7]);
    return value ? PLUMB_INT(value) : PLUMB_NONE;
}

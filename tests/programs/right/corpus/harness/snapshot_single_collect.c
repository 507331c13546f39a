/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'update(0, 8) update(1, 9) => update(0, 1) update(1, 2) | scan' */
#include <plumb.h>
#include <stdatomic.h>

static atomic_long cells[2];

PLUMB_OBJECT(snapshot)
PLUMB_OP(update, int, i, long, v)
{
    atomic_store(&cells[i & 1], v);
    return PLUMB_OK;
}
PLUMB_OP(scan)
{
    long a, b;
    do {
        a = atomic_load(&cells[0]);
        b = atomic_load(&cells[1]);
    } while (a != atomic_load(&cells[0]));
    plumb_value both[] = {PLUMB_INT(a), PLUMB_INT(b)};
    return PLUMB_ARRAY(both, 2);
}

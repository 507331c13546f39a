/* SPDX-License-Identifier: Apache-2.0 */
/* get counts how often it has looked, so alone it never ends and is never where it was. */
#include <plumb.h>

#include <stdatomic.h>

static atomic_int tries, full;

PLUMB_OP(put)
{
    atomic_store(&full, 1);
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    while (!atomic_load(&full))
        atomic_fetch_add(&tries, 1);
    return PLUMB_INT(atomic_load(&tries) > 5);
}

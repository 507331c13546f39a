/* SPDX-License-Identifier: Apache-2.0 */
/* A counter of three (three_spec.c is its specification); BUG: a look and a store. */
#include <plumb.h>
#include <stdatomic.h>
static atomic_int count;
PLUMB_OP(next)
{
    int old = atomic_load(&count);
#ifdef BUG
    atomic_store(&count, (old + 1) % 3);
#else
    while (!atomic_compare_exchange_strong(&count, &old, (old + 1) % 3))
        continue;
#endif
    return PLUMB_INT(old);
}

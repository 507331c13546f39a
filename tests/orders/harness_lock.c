/* SPDX-License-Identifier: Apache-2.0 */
/* A lock that is tried first. */
#include "sites.h"
#include <plumb.h>

static atomic_int taken;
static int count;

PLUMB_OBJECT(lock)
PLUMB_TEST("acquire release | acquire release")

PLUMB_OP(acquire)
{
    int zero = 0;
    while (!atomic_compare_exchange_strong_explicit(&taken, &zero, 1, A, B))
        zero = 0;
    count++;
    return PLUMB_OK;
}

PLUMB_OP(release)
{
    count--;
    atomic_store_explicit(&taken, 0, C);
    return PLUMB_OK;
}

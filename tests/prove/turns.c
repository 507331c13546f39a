/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers 0 to LAST, in turns. There is no specification: what it answers one call after the other is right, or what it answers with another LAST
 * (--golden-define). RACY: two threads may get the same number. ODD: nothing and zero are answers, which the checker has one number for. */
#include <plumb.h>
#include <stdatomic.h>

#ifndef LAST
#define LAST 3
#endif
static atomic_int next;

PLUMB_OBJECT()

PLUMB_OP(take)
{
    int now = atomic_load(&next);
#ifdef RACY
    atomic_store(&next, now == LAST ? 0 : now + 1);
#else
    while (!atomic_compare_exchange_weak(&next, &now, now == LAST ? 0 : now + 1))
        continue;
#endif
#ifdef ODD
    if (now == 3)
        return PLUMB_NONE;
#endif
    return PLUMB_INT(now);
}

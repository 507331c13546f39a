/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'release | acquire | acquire' */
/* note: one acquire always waits forever, which it may; the other has to be right nevertheless */
#include <plumb.h>
#include <stdatomic.h>

#ifndef PUBLISH /* right/sync has the orders that are needed */
#define PUBLISH memory_order_relaxed
#define SUBSCRIBE memory_order_relaxed
#endif

static atomic_int permits;

PLUMB_OBJECT(semaphore)
PLUMB_OP(release)
{
    atomic_fetch_add_explicit(&permits, 1, PUBLISH);
    return PLUMB_OK;
}
PLUMB_OP(acquire)
{
    int n;
    do
        n = atomic_load_explicit(&permits, memory_order_relaxed);
    while (!n ||
           !atomic_compare_exchange_strong_explicit(&permits, &n, n - 1, SUBSCRIBE, memory_order_relaxed));
    return PLUMB_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The deque of Chase and Lev, with an array of fixed size. -DBUSY: the owner marks the last item while it takes it, and thieves wait. */
#include <plumb.h>

#include <stdatomic.h>

enum { SIZE = 4 };

static atomic_long top, bottom;
static atomic_int items[SIZE];
#ifdef BUSY
static atomic_bool busy;
#endif

PLUMB_OBJECT(deque)
PLUMB_ROLE(owner, push_back, pop_back)
PLUMB_ROLE_MANY(thief, pop_front)
PLUMB_TEST("push_back(1) => push_back(2) pop_back pop_back | pop_front")

PLUMB_OP(push_back, int, v)
{
    long b = atomic_load(&bottom);
    atomic_store(&items[b % SIZE], v);
    atomic_store(&bottom, b + 1);
    return PLUMB_OK;
}

static bool take_last(long t)
{
#ifdef BUSY
    atomic_store(&busy, true);
#endif
    bool taken = atomic_compare_exchange_strong(&top, &t, t + 1);
#ifdef BUSY
    atomic_store(&busy, false);
#endif
    return taken;
}

PLUMB_OP(pop_back)
{
    long b = atomic_load(&bottom) - 1;
    atomic_store(&bottom, b);
    long t = atomic_load(&top);
    if (b < t) {
        atomic_store(&bottom, t);
        return PLUMB_NONE;
    }
    int v = atomic_load(&items[b % SIZE]);
    if (b > t)
        return PLUMB_INT(v);
    bool taken = take_last(t);
    atomic_store(&bottom, t + 1);
    return taken ? PLUMB_INT(v) : PLUMB_NONE;
}

PLUMB_OP(pop_front)
{
    for (;;) {
#ifdef BUSY
        while (atomic_load(&busy))
            ;
#endif
        long t = atomic_load(&top);
        if (atomic_load(&bottom) <= t)
            return PLUMB_NONE;
        int v = atomic_load(&items[t % SIZE]);
        if (atomic_compare_exchange_strong(&top, &t, t + 1))
            return PLUMB_INT(v);
    }
}

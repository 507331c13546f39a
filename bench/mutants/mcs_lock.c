/* SPDX-License-Identifier: Apache-2.0 */
/* A number behind a lock of Mellor-Crummey and Scott. Right. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_bool waits;
};

static _Atomic(struct waiter *) tail;
static int number;

static void lock(struct waiter *me)
{
    atomic_init(&me->next, NULL);
    atomic_init(&me->waits, true);
    struct waiter *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->waits, memory_order_acquire))
        ;
}

static void unlock(struct waiter *me)
{
    struct waiter *expected = me, *next = atomic_load_explicit(&me->next, memory_order_acquire);
    if (!next) {
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_release,
                                                    memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->waits, false, memory_order_release);
}

PLUMB_OBJECT()

PLUMB_OP(add, int, n)
{
    struct waiter me;
    lock(&me);
    int before = number;
    number = before + n;
    unlock(&me);
    return PLUMB_INT(before);
}

PLUMB_OP(get)
{
    struct waiter me;
    lock(&me);
    int now = number;
    unlock(&me);
    return PLUMB_INT(now);
}

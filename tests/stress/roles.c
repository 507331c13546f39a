/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one thread that puts in and one that takes out; it would break with two. */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

enum { SIZE = 1 << 20 };
static int ring[SIZE];
static _Atomic unsigned first, last;
static atomic_int putting, taking;

PLUMB_OBJECT(queue)
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)

static void only_one(atomic_int *inside)
{
    if (atomic_fetch_add(inside, 1))
        abort();
}

PLUMB_OP(enq, int, v)
{
    only_one(&putting);
    unsigned at = atomic_load_explicit(&last, memory_order_relaxed);
    ring[at % SIZE] = v;
    atomic_store_explicit(&last, at + 1, memory_order_release);
    atomic_fetch_sub(&putting, 1);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    only_one(&taking);
    unsigned at = atomic_load_explicit(&first, memory_order_relaxed);
    bool is_empty = at == atomic_load_explicit(&last, memory_order_acquire);
    int v = is_empty ? 0 : ring[at % SIZE];
    if (!is_empty)
        atomic_store_explicit(&first, at + 1, memory_order_relaxed);
    atomic_fetch_sub(&taking, 1);
    return is_empty ? PLUMB_NONE : PLUMB_INT(v);
}

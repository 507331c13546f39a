/* SPDX-License-Identifier: Apache-2.0 */
/* The queue lock of Mellor-Crummey and Scott, and what it protects. */
#include <plumb.h>

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

static struct node {
    _Atomic(struct node *) next;
    atomic_bool waits;
} nodes[4];
static _Atomic(struct node *) tail;
static int inside;

PLUMB_OBJECT(lock)
PLUMB_TEST("acquire release | acquire release acquire release")

PLUMB_OP(acquire)
{
    struct node *me = &nodes[plumb_thread()];
    atomic_store_explicit(&me->next, NULL, memory_order_seq_cst);
    atomic_store_explicit(&me->waits, true, memory_order_seq_cst);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_seq_cst);
    if (before) {
        atomic_store_explicit(&before->next, me, memory_order_seq_cst);
        while (atomic_load_explicit(&me->waits, memory_order_seq_cst))
            ;
    }
    assert(inside++ == 0);
    return PLUMB_OK;
}

PLUMB_OP(release)
{
    struct node *me = &nodes[plumb_thread()], *last = me;
    inside--;
    struct node *next = atomic_load_explicit(&me->next, memory_order_seq_cst);
    if (!next) {
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_seq_cst,
                                                    memory_order_seq_cst))
            return PLUMB_OK;
        while (!(next = atomic_load_explicit(&me->next, memory_order_seq_cst)))
            ;
    }
    atomic_store_explicit(&next->waits, false, memory_order_seq_cst);
    return PLUMB_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack; nodes are never freed. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int item;
    struct node *next;
};

static struct node *_Atomic top;

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, item)
{
    struct node *n = malloc(sizeof *n);
    n->item = item;
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    do
        n->next = old;
    while (
        !atomic_compare_exchange_strong_explicit(&top, &old, n, memory_order_acq_rel, memory_order_acquire));
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    do
        if (!old)
            return PLUMB_NONE;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, old->next, memory_order_acq_rel,
                                                    memory_order_acquire));
    return PLUMB_INT(old->item);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack with the weakest orders that do. Nodes are not freed, so that none comes back. Right. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *below;
    int value;
};

static _Atomic(struct node *) top;

PLUMB_OBJECT()

PLUMB_OP(push, int, value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->below = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &n->below, n, memory_order_release,
                                                    memory_order_relaxed))
        ;
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_strong_explicit(&top, &n, n->below, memory_order_acquire,
                                                         memory_order_acquire))
        ;
    return n ? PLUMB_INT(n->value) : PLUMB_NONE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack, without reuse of nodes. */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *below;
    int value;
};

static _Atomic(struct node *) top;

PLUMB_OBJECT(stack)
PLUMB_TEST("push(1) pop | push(2) pop")

PLUMB_OP(push, int, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->below = atomic_load_explicit(&top, memory_order_seq_cst);
    while (!atomic_compare_exchange_strong_explicit(&top, &n->below, n, memory_order_seq_cst,
                                                    memory_order_seq_cst))
        ;
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *n = atomic_load_explicit(&top, memory_order_seq_cst);
    while (n && !atomic_compare_exchange_strong_explicit(&top, &n, n->below, memory_order_seq_cst,
                                                         memory_order_seq_cst))
        ;
    return n ? PLUMB_INT(n->value) : PLUMB_NONE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott, without reuse of nodes. */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

PLUMB_OBJECT(queue)
PLUMB_TEST("enq(1) deq | enq(2) deq")

static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}

PLUMB_SETUP()
{
    struct node *n = new_node(0);
    atomic_init(&head, n);
    atomic_init(&tail, n);
}

PLUMB_OP(enq, int, v)
{
    struct node *n = new_node(v);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_seq_cst);
        struct node *next = atomic_load_explicit(&last->next, memory_order_seq_cst);
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_seq_cst,
                                                    memory_order_seq_cst);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, memory_order_seq_cst,
                                                           memory_order_seq_cst)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, n, memory_order_seq_cst,
                                                    memory_order_seq_cst);
            return PLUMB_OK;
        }
    }
}

PLUMB_OP(deq)
{
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_seq_cst);
        struct node *last = atomic_load_explicit(&tail, memory_order_seq_cst);
        struct node *next = atomic_load_explicit(&first->next, memory_order_seq_cst);
        if (!next)
            return PLUMB_NONE;
        if (first == last) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_seq_cst,
                                                    memory_order_seq_cst);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_seq_cst,
                                                    memory_order_seq_cst))
            return PLUMB_INT(value);
    }
}

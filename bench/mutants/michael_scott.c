/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott with acquire and release. Nodes are not freed, so that none comes back. Right. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

static struct node first;
static _Atomic(struct node *) head = &first, tail = &first;

static struct node *load(_Atomic(struct node *) *link)
{
    return atomic_load_explicit(link, memory_order_acquire);
}

static bool exchange(_Atomic(struct node *) *link, struct node *old, struct node *new)
{
    return atomic_compare_exchange_strong_explicit(link, &old, new, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

PLUMB_OBJECT()

PLUMB_OP(enq, int, value)
{
    struct node *n = malloc(sizeof *n);
    atomic_init(&n->next, NULL);
    n->value = value;
    for (;;) {
        struct node *last = load(&tail), *next = load(&last->next);
        if (next) {
            exchange(&tail, last, next);
        } else if (exchange(&last->next, NULL, n)) {
            exchange(&tail, last, n);
            return PLUMB_OK;
        }
    }
}

PLUMB_OP(deq)
{
    for (;;) {
        struct node *front = load(&head), *last = load(&tail), *next = load(&front->next);
        if (!next)
            return PLUMB_NONE;
        if (front == last)
            exchange(&tail, last, next);
        else if (exchange(&head, front, next))
            return PLUMB_INT(next->value);
    }
}

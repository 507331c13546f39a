/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott; nodes are never freed. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int item;
    struct node *_Atomic next;
};

static struct node first;
static struct node *_Atomic head = &first, *_Atomic tail = &first;

static struct node *load(struct node *_Atomic *link)
{
    return atomic_load_explicit(link, memory_order_acquire);
}

static bool exchange(struct node *_Atomic *link, struct node *old, struct node *new)
{
    return atomic_compare_exchange_strong_explicit(link, &old, new, memory_order_acq_rel,
                                                   memory_order_acquire);
}

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, item)
{
    struct node *n = calloc(1, sizeof *n);
    n->item = item;
    for (;;) {
        struct node *last = load(&tail), *next = load(&last->next);
        if (next) {
            exchange(&tail, last, next); /* help */
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
            exchange(&tail, last, next); /* head must not overtake tail */
        else if (exchange(&head, front, next))
            return PLUMB_INT(next->item);
    }
}

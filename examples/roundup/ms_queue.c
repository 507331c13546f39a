/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott: a list with a node in front whose item is gone. Nodes are kept until the end, so that none
 * comes back while someone still looks at it; with NODES_LEAK they are not even remembered, which is one step less for each
 * (bench/clients.sh). Linearizable. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int item;
    struct node *_Atomic next;
};

static struct node first;
static struct node *_Atomic head = &first, *_Atomic tail = &first;
#ifndef NODES_LEAK
static struct node *_Atomic nodes[32]; /* all of them, for the end */
static atomic_int node_count;
#endif

static struct node *load(struct node *_Atomic *link)
{
    return atomic_load_explicit(link, memory_order_acquire);
}

static bool exchange(struct node *_Atomic *link, struct node *old, struct node *new)
{
    return atomic_compare_exchange_strong_explicit(link, &old, new, memory_order_acq_rel,
                                                   memory_order_acquire);
}

static struct node *new_node(int item)
{
    struct node *n = calloc(1, sizeof *n);
    n->item = item;
#ifndef NODES_LEAK
    nodes[atomic_fetch_add_explicit(&node_count, 1, memory_order_relaxed)] = n;
#endif
    return n;
}

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, item)
{
    struct node *n = new_node(item);
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

#ifndef NODES_LEAK
PLUMB_TEARDOWN()
{
    for (int i = 0; i < node_count; i++)
        free(nodes[i]);
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott, without reuse of nodes. The tail may lag: a node has been linked, and the tail does not point to
 * it yet. enq has to look for that and help. This one does not: it replaces whatever comes behind the tail, and a node is lost. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    long value;
    struct node *older; /* of all nodes of this round, for the teardown */
};

static _Atomic(struct node *) head, tail, nodes;

static struct node *make_node(long value)
{
    struct node *n = malloc(sizeof *n);
    atomic_init(&n->next, NULL);
    n->value = value;
    n->older = nodes;
    while (!atomic_compare_exchange_weak(&nodes, &n->older, n))
        continue;
    return n;
}

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    nodes = NULL;
    head = tail = make_node(0);
}

PLUMB_TEARDOWN()
{
    for (struct node *n = nodes, *older; n; n = older) {
        older = n->older;
        free(n);
    }
}

PLUMB_OP(enq, long, value)
{
    struct node *n = make_node(value);
    for (;;) {
        struct node *last = tail, *next = last->next;
#ifdef FIXED
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
#endif
        if (atomic_compare_exchange_strong(&last->next, &next, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return PLUMB_OK;
        }
    }
}

PLUMB_OP(deq)
{
    for (;;) {
        struct node *first = head, *last = tail, *next = first->next;
        if (!next)
            return PLUMB_NONE;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        long value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return PLUMB_INT(value);
    }
}

PLUMB_TEST("enq(1) | enq(2) => deq deq")

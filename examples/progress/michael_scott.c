/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott: who finds that the tail lags behind moves it on for the other one. -DNO_HELP: waits for the other one
 * to do so. */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

static _Atomic(struct node *) head, tail;

static struct node *make_node(int v)
{
    struct node *n = malloc(sizeof *n);
    atomic_init(&n->next, NULL);
    n->value = v;
    return n;
}

static void help(struct node *last, struct node *next)
{
#ifndef NO_HELP
    atomic_compare_exchange_strong(&tail, &last, next);
#endif
    (void)last;
    (void)next;
}

PLUMB_OBJECT(queue)
PLUMB_TEST("enq(1) deq | enq(2) deq")

PLUMB_SETUP()
{
    struct node *dummy = make_node(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
}

PLUMB_OP(enq, int, v)
{
    struct node *n = make_node(v);
    for (;;) {
        struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next) {
            help(last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return PLUMB_OK;
        }
    }
}

PLUMB_OP(deq)
{
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (!next)
            return PLUMB_NONE;
        if (first == last) {
            help(last, next);
        } else {
            int v = next->value;
            if (atomic_compare_exchange_strong(&head, &first, next))
                return PLUMB_INT(v);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott. Nothing is freed: under garbage collection it is right. PLAIN: enq links its
 * node by a store instead of a compare and swap. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    struct node *n = malloc(sizeof *n);
    n->value = 0;
    atomic_init(&n->next, NULL);
    atomic_init(&head, n);
    atomic_init(&tail, n);
}

PLUMB_OP(enq, int, v)
{
    struct node *n = malloc(sizeof *n), *last, *next;
    n->value = v;
    atomic_init(&n->next, NULL);
    for (;;) {
        last = atomic_load(&tail);
        next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
#ifdef PLAIN
        atomic_store(&last->next, n);
        break;
#else
        if (atomic_compare_exchange_strong(&last->next, &next, n))
            break;
#endif
    }
    atomic_compare_exchange_strong(&tail, &last, n);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail),
                    *next = atomic_load(&first->next);
        if (first == last) {
            if (!next)
                return PLUMB_NONE;
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int v = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return PLUMB_INT(v);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node *_Atomic head, *_Atomic tail;

static struct node *make(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}

static void enqueue(int value)
{
    struct node *n = make(value);
    for (;;) {
        struct node *last = atomic_load(&tail), *none = NULL;
        struct node *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &none, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return;
        }
    }
}

static int dequeue(void)
{
    struct node *first = atomic_load(&head);
    struct node *next = atomic_load(&first->next);
    if (!next)
        return 0;
    int value = next->value;
    atomic_store(&head, next);
    free(first);
    return value;
}

PLUMB_OBJECT(queue)
PLUMB_ROLE(consumer, deq)

PLUMB_SETUP()
{
    struct node *n = make(0);
    atomic_init(&head, n);
    atomic_init(&tail, n);
}

PLUMB_OP(enq, int, v)
{
    enqueue(v);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    int v = dequeue();
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

PLUMB_TEST("enq(1) | deq enq(2)")

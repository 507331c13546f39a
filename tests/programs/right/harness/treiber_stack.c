/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags-plumb: --test 'push(1) pop | push(2) pop' */
/* note: nodes are never reused */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        ;
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
        ;
    return n ? PLUMB_INT(n->value) : PLUMB_NONE;
}

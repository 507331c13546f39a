/* SPDX-License-Identifier: Apache-2.0 */
/* A flag of a new node is looked at and was never written: with the usual allocator it is mostly zero. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    int is_removed;
    struct node *next;
};
static _Atomic(struct node *) top;

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        continue;
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
        continue;
    return n && !n->is_removed ? PLUMB_INT(n->value) : PLUMB_NONE;
}

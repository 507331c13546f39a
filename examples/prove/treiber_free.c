/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack that frees what it pops at once: another thread may still look at it. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
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
    if (!n)
        return PLUMB_NONE;
    int v = n->value;
    free(n);
    return PLUMB_INT(v);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack with a list of free nodes: a node may be back on top when a pop exchanges it for what once was below (ABA). */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

typedef _Atomic(struct node *) list;
static list top, unused;

PLUMB_OBJECT(stack)

static void put(list *l, struct node *n)
{
    struct node *old = atomic_load(l);
    do
        atomic_store(&n->next, old);
    while (!atomic_compare_exchange_strong(l, &old, n));
}

static struct node *take(list *l)
{
    struct node *n = atomic_load(l);
    while (n && !atomic_compare_exchange_strong(l, &n, atomic_load(&n->next)))
        continue;
    return n;
}

PLUMB_OP(push, int, v)
{
    struct node *n = take(&unused);
    if (!n)
        n = malloc(sizeof *n);
    n->value = v;
    put(&top, n);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *n = take(&top);
    if (!n)
        return PLUMB_NONE;
    int v = n->value;
    put(&unused, n);
    return PLUMB_INT(v);
}

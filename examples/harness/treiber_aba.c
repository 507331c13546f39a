/* SPDX-License-Identifier: Apache-2.0 */
/* A Treiber stack that uses its nodes again: each thread keeps the nodes it popped and takes the oldest of
 * them for its next push. A pop that was interrupted between reading `top` and its exchange then finds the
 * same node on top of another stack (ABA).
 *
 *     plumb check treiber_aba.c --test 'push(1) push(2) => pop | pop pop push(3) => pop' --mode dfs
 */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

enum { SPARE = 8 };

struct node {
    _Atomic(struct node *) next;
    atomic_int value;
};

static _Atomic(struct node *) top;

static _Thread_local struct {
    struct node *nodes[SPARE];
    unsigned first, last;
} spare;

static struct node *take_node(void)
{
    return spare.first != spare.last ? spare.nodes[spare.first++ % SPARE] : malloc(sizeof(struct node));
}

static void keep_node(struct node *n)
{
    if (spare.last - spare.first < SPARE)
        spare.nodes[spare.last++ % SPARE] = n;
}

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    struct node *n = take_node();
    atomic_store_explicit(&n->value, v, memory_order_relaxed);
    struct node *old = atomic_load(&top);
    do
        atomic_store_explicit(&n->next, old, memory_order_relaxed);
    while (!atomic_compare_exchange_strong(&top, &old, n));
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *old = atomic_load(&top), *next;
    do {
        if (!old)
            return PLUMB_NONE;
        next = atomic_load_explicit(&old->next, memory_order_relaxed);
    } while (!atomic_compare_exchange_strong(&top, &old, next));
    int v = atomic_load_explicit(&old->value, memory_order_relaxed);
    keep_node(old);
    return PLUMB_INT(v);
}

PLUMB_TRY(push, 1, 2, 3)

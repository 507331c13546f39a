/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack: a list whose top is exchanged by CAS. Nodes are kept until the end, so that none comes back while
 * someone still looks at it. Linearizable. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int item;
    struct node *below;
};

static struct node *_Atomic top;
static struct node *_Atomic nodes[32]; /* all of them, for the end */
static atomic_int node_count;

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, item)
{
    struct node *n = malloc(sizeof *n);
    n->item = item;
    nodes[atomic_fetch_add_explicit(&node_count, 1, memory_order_relaxed)] = n;
    n->below = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &n->below, n, memory_order_release,
                                                    memory_order_relaxed))
        ;
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_strong_explicit(&top, &n, n->below, memory_order_acquire,
                                                         memory_order_acquire))
        ;
    return n ? PLUMB_INT(n->item) : PLUMB_NONE;
}

PLUMB_TEARDOWN()
{
    for (int i = 0; i < node_count; i++)
        free(nodes[i]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable|race */
/* mode: all */
/* command: auto */
/* note: a stack with a free list and no tags: a node comes back while pop still holds its neighbour */
#include <plumb.h>
#include <stdatomic.h>

enum { NODES = 4, NIL = 255 };
static atomic_uint top = NIL, free_nodes;
static atomic_uint next[NODES] = {1, 2, 3, NIL};
static long values[NODES];

#define TAGGED(old, index) (index)

static unsigned take(atomic_uint *list)
{
    unsigned old = atomic_load(list);
    while ((old & 255) != NIL)
        if (atomic_compare_exchange_strong(list, &old, TAGGED(old, atomic_load(&next[old & 255]) & 255)))
            return old & 255;
    return NIL;
}

static void give(atomic_uint *list, unsigned node)
{
    unsigned old = atomic_load(list);
    do
        atomic_store(&next[node], old & 255);
    while (!atomic_compare_exchange_strong(list, &old, TAGGED(old, node)));
}

PLUMB_OBJECT(stack)
PLUMB_OP(push, long, v)
{
    unsigned node = take(&free_nodes);
    plumb_assume(node != NIL);
    values[node] = v;
    give(&top, node);
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    unsigned node = take(&top);
    if (node == NIL)
        return PLUMB_NONE;
    long v = values[node];
    give(&free_nodes, node);
    return PLUMB_INT(v);
}

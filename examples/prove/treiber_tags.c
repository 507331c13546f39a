/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack in an array, with a tag of a few bits beside the number of the top: when the tag wraps, so does the safety. */
#include <plumb.h>
#include <stdatomic.h>

#ifndef TAG_BITS
#define TAG_BITS 2
#endif
enum { NODES = 4, TAG_MASK = (1 << TAG_BITS) - 1 };

static struct {
    int value;
    atomic_uchar next;
} nodes[NODES + 1];

typedef atomic_ushort list; /* tag << 8 | number of a node, or 0 */
static list top, unused;

PLUMB_OBJECT(stack)

PLUMB_SETUP()
{
    for (unsigned i = 1; i < NODES; i++)
        atomic_init(&nodes[i].next, i + 1);
    atomic_init(&unused, 1);
}

static unsigned short with_tag(unsigned short old, unsigned node)
{
    return (unsigned short)((((old >> 8) + 1) & TAG_MASK) << 8 | node);
}

static void put(list *l, unsigned node)
{
    unsigned short old = atomic_load(l);
    do
        atomic_store(&nodes[node].next, old & 0xff);
    while (!atomic_compare_exchange_strong(l, &old, with_tag(old, node)));
}

static unsigned take(list *l)
{
    unsigned short old = atomic_load(l);
    while ((old & 0xff) &&
           !atomic_compare_exchange_strong(l, &old, with_tag(old, atomic_load(&nodes[old & 0xff].next))))
        continue;
    return old & 0xff;
}

PLUMB_OP(push, int, v)
{
    unsigned n = take(&unused);
    if (!n)
        return PLUMB_BOOL(false);
    nodes[n].value = v;
    put(&top, n);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    unsigned n = take(&top);
    if (!n)
        return PLUMB_NONE;
    int v = nodes[n].value;
    put(&unused, n);
    return PLUMB_INT(v);
}

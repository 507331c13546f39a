/* SPDX-License-Identifier: Apache-2.0 */
/* A singly linked queue for one thread at a time. The bug is to use it in several: two that add at the same time may lose an item, two
 * that take away may get the same one. One that adds and one that takes away do not meet as long as there are items.
 *
 * Pointers are atomic, so that what goes wrong is the answers; with -DPLAIN they are what they are in a queue for one
 * thread, and the error is a data race. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node;
#ifdef PLAIN
typedef struct node *link_to_node;
#define LOAD(link) (link)
#define STORE(link, node) ((link) = (node))
#else
typedef struct node *_Atomic link_to_node;
#define LOAD(link) atomic_load_explicit(&(link), memory_order_acquire)
#define STORE(link, node) atomic_store_explicit(&(link), node, memory_order_release)
#endif

struct node {
    int item;
    link_to_node next;
};

static link_to_node head; /* a node whose item is gone; the first item is in the next */
static link_to_node tail;
static struct node first;
static struct node *_Atomic nodes[32]; /* all of them, for the end */
static atomic_int node_count;

static struct node *new_node(int item)
{
    struct node *n = calloc(1, sizeof *n);
    n->item = item;
    nodes[atomic_fetch_add_explicit(&node_count, 1, memory_order_relaxed)] = n;
    return n;
}

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    STORE(head, &first);
    STORE(tail, &first);
}

PLUMB_OP(enq, int, item)
{
    struct node *n = new_node(item), *last = LOAD(tail);
    STORE(last->next, n);
    STORE(tail, n);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    struct node *next = LOAD(LOAD(head)->next);
    if (!next)
        return PLUMB_NONE;
    STORE(head, next);
    return PLUMB_INT(next->item);
}

PLUMB_TEARDOWN()
{
    for (int i = 0; i < node_count; i++)
        free(nodes[i]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A sorted list with a link per node, changed without locks. A removal makes the node before it point to the one behind it. When the node before
 * is removed at the same time, that link is no longer part of the list, and the node stays in it: the removal is lost (an addition
 * behind it, too). -DFIXED: a link is marked before its node is taken out, as Harris does it, and a marked one cannot be changed. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    _Atomic uintptr_t next; /* odd: this node is removed */
    long key;
    struct node *older; /* of all nodes, for the teardown */
};

static struct node first; /* before all keys */
static _Atomic(struct node *) nodes;

static struct node *node_of(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)1);
}

static bool exchange(struct node *before, struct node *old, struct node *new)
{
    uintptr_t expected = (uintptr_t)old;
    return atomic_compare_exchange_strong(&before->next, &expected, (uintptr_t) new);
}

/* The first node with the key or a larger one, and the one before it. Takes out marked nodes on the way. */
static struct node *find(long key, struct node **before)
{
again:
    *before = &first;
    for (struct node *n = node_of(first.next);;) {
        uintptr_t next = n ? n->next : 0;
        if (next & 1) {
            if (!exchange(*before, n, node_of(next)))
                goto again;
        } else {
            if (!n || n->key >= key)
                return n;
            *before = n;
        }
        n = node_of(next);
    }
}

static bool mark(struct node *n)
{
#ifdef FIXED
    uintptr_t next = n->next;
    while (!(next & 1))
        if (atomic_compare_exchange_weak(&n->next, &next, next | 1))
            return true;
    return false;
#else
    (void)n;
    return true;
#endif
}

static struct node *make_node(long key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->older = nodes;
    while (!atomic_compare_exchange_weak(&nodes, &n->older, n))
        continue;
    return n;
}

PLUMB_OBJECT(set)

PLUMB_SETUP()
{
    first.next = 0;
    nodes = NULL;
}

PLUMB_TEARDOWN()
{
    for (struct node *n = nodes, *older; n; n = older) {
        older = n->older;
        free(n);
    }
}

PLUMB_OP(add, long, key)
{
    struct node *fresh = NULL, *before, *n;
    do {
        n = find(key, &before);
        if (n && n->key == key)
            return PLUMB_BOOL(false);
        if (!fresh)
            fresh = make_node(key);
        atomic_store(&fresh->next, (uintptr_t)n);
    } while (!exchange(before, n, fresh));
    return PLUMB_BOOL(true);
}

PLUMB_OP(remove, long, key)
{
    for (;;) {
        struct node *before, *n = find(key, &before);
        if (!n || n->key != key)
            return PLUMB_BOOL(false);
        if (!mark(n))
            continue;
        bool is_out = exchange(before, n, node_of(n->next));
#ifdef FIXED
        is_out = true; /* others take it out */
#endif
        if (is_out)
            return PLUMB_BOOL(true);
    }
}

PLUMB_OP(contains, long, key)
{
    struct node *before, *n = find(key, &before);
    return PLUMB_BOOL(n && n->key == key);
}

PLUMB_TEST("add(1) add(2) => remove(1) | remove(2) => contains(2)")

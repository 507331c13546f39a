/* SPDX-License-Identifier: Apache-2.0 */
/* Harris' list as a set: a node is removed when the lowest bit of its link is set, and taken out of the list by any thread that comes by.
 * -DNO_HELP: by the thread that removes it only, for which others wait. */
#include <plumb.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int key;
    atomic_uintptr_t next; /* lowest bit: removed */
};

static struct node head;

static struct node *node_of(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)1);
}

/* The first node whose key is not less, and the link that leads to it. */
static struct node *find(int key, atomic_uintptr_t **link)
{
again:
    *link = &head.next;
    for (;;) {
        struct node *n = node_of(atomic_load(*link));
        if (!n)
            return NULL;
        uintptr_t next = atomic_load(&n->next);
        if (next & 1) {
#ifndef NO_HELP
            uintptr_t expected = (uintptr_t)n;
            atomic_compare_exchange_strong(*link, &expected, next & ~(uintptr_t)1);
#endif
            goto again;
        }
        if (n->key >= key)
            return n;
        *link = &n->next;
    }
}

PLUMB_OBJECT(set)
PLUMB_TEST("add(1) => remove(1) | add(2) contains(1)")

PLUMB_SETUP()
{
    atomic_init(&head.next, 0);
}

PLUMB_OP(add, int, key)
{
    atomic_uintptr_t *link;
    struct node *n = malloc(sizeof *n);
    n->key = key;
    for (;;) {
        struct node *after = find(key, &link);
        if (after && after->key == key)
            return PLUMB_FALSE;
        atomic_init(&n->next, (uintptr_t)after);
        uintptr_t expected = (uintptr_t)after;
        if (atomic_compare_exchange_strong(link, &expected, (uintptr_t)n))
            return PLUMB_TRUE;
    }
}

PLUMB_OP(remove, int, key)
{
    atomic_uintptr_t *link;
    for (;;) {
        struct node *n = find(key, &link);
        if (!n || n->key != key)
            return PLUMB_FALSE;
        uintptr_t next = atomic_load(&n->next), expected = (uintptr_t)n;
        if (next & 1 || !atomic_compare_exchange_strong(&n->next, &next, next | 1))
            continue;
        atomic_compare_exchange_strong(link, &expected, next);
        return PLUMB_TRUE;
    }
}

PLUMB_OP(contains, int, key)
{
    atomic_uintptr_t *link;
    struct node *n = find(key, &link);
    return n && n->key == key ? PLUMB_TRUE : PLUMB_FALSE;
}

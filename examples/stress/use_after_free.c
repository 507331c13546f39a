/* SPDX-License-Identifier: Apache-2.0 */
/* A sorted list. Those who change it take a lock, those who look do not. A node that was removed is freed at once, although somebody may
 * stand on it: the next step leads nowhere. Freed nodes are marked, as debugging allocators do it. -DFIXED: they are freed at the end. */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    long key;
    struct node *later; /* of those that were removed */
};

static struct node first; /* before all keys */
static struct node *removed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void dispose(struct node *n)
{
#ifdef FIXED
    n->later = removed;
    removed = n;
#else
    n->next = (struct node *)0xdead;
    free(n);
#endif
}

/* The last node before the key; with the lock. */
static struct node *find(long key)
{
    struct node *before = &first;
    for (struct node *n; (n = before->next) && n->key < key;)
        before = n;
    return before;
}

PLUMB_OBJECT(set)

PLUMB_SETUP()
{
    first.next = NULL;
    removed = NULL;
}

PLUMB_TEARDOWN()
{
    for (struct node *n = first.next, *next; n; n = next) {
        next = n->next;
        free(n);
    }
    for (struct node *n = removed, *later; n; n = later) {
        later = n->later;
        free(n);
    }
}

PLUMB_OP(add, long, key)
{
    pthread_mutex_lock(&lock);
    struct node *before = find(key), *n = before->next;
    bool is_new = !n || n->key != key;
    if (is_new) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = key;
        atomic_init(&fresh->next, n);
        before->next = fresh;
    }
    pthread_mutex_unlock(&lock);
    return PLUMB_BOOL(is_new);
}

PLUMB_OP(remove, long, key)
{
    pthread_mutex_lock(&lock);
    struct node *before = find(key), *n = before->next;
    bool is_in = n && n->key == key;
    if (is_in) {
        before->next = n->next;
        dispose(n);
    }
    pthread_mutex_unlock(&lock);
    return PLUMB_BOOL(is_in);
}

PLUMB_OP(contains, long, key)
{
    struct node *n = first.next;
    while (n && n->key < key)
        n = n->next;
    return PLUMB_BOOL(n && n->key == key);
}

PLUMB_TEST("add(1) => remove(1) | contains(2)")

/* SPDX-License-Identifier: Apache-2.0 */
/* The lazy list: a sorted list of keys with a lock in each node, and a mark for nodes that are removed. UNMARKED: nobody
 * looks at the marks, and an addition may be linked to a node that is gone. */
#include <plumb.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int key;
    atomic_bool marked;
    _Atomic(struct node *) next;
    pthread_mutex_t lock;
};

static struct node *head;

PLUMB_OBJECT(set)

static struct node *new_node(int key, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    atomic_init(&n->marked, false);
    atomic_init(&n->next, next);
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

PLUMB_SETUP()
{
    head = new_node(INT_MIN, new_node(INT_MAX, NULL));
}

static bool is_marked(struct node *n)
{
#ifdef UNMARKED
    (void)n;
    return false;
#else
    return atomic_load(&n->marked);
#endif
}

/* Locks the last node below the key and the one behind it. */
static void find(int key, struct node **before, struct node **at)
{
    for (;;) {
        *before = head;
        *at = atomic_load(&head->next);
        while ((*at)->key < key) {
            *before = *at;
            *at = atomic_load(&(*at)->next);
        }
        pthread_mutex_lock(&(*before)->lock);
        pthread_mutex_lock(&(*at)->lock);
        if (!is_marked(*before) && !is_marked(*at) && atomic_load(&(*before)->next) == *at)
            return;
        pthread_mutex_unlock(&(*at)->lock);
        pthread_mutex_unlock(&(*before)->lock);
    }
}

static void unlock(struct node *before, struct node *at)
{
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
}

PLUMB_OP(add, int, key)
{
    struct node *before, *at;
    find(key, &before, &at);
    bool absent = at->key != key;
    if (absent)
        atomic_store(&before->next, new_node(key, at));
    unlock(before, at);
    return PLUMB_BOOL(absent);
}

PLUMB_OP(remove, int, key)
{
    struct node *before, *at;
    find(key, &before, &at);
    bool present = at->key == key;
    if (present) {
        atomic_store(&at->marked, true);
        atomic_store(&before->next, atomic_load(&at->next));
    }
    unlock(before, at);
    return PLUMB_BOOL(present);
}

PLUMB_OP(contains, int, key)
{
    struct node *at = head;
    while (at->key < key)
        at = atomic_load(&at->next);
    return PLUMB_BOOL(at->key == key && !atomic_load(&at->marked));
}

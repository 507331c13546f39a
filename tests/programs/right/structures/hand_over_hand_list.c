/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a sorted list, one lock per node, each taken before the last is let go */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    int key;
    struct node *next;
};

static struct node *node_new(int key, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    pthread_mutex_init(&n->lock, NULL);
    n->key = key;
    n->next = next;
    return n;
}

static struct node *list;

static void insert(int key)
{
    struct node *before = list;
    pthread_mutex_lock(&before->lock);
    struct node *at = before->next;
    pthread_mutex_lock(&at->lock);
    while (at->key < key) {
        pthread_mutex_unlock(&before->lock);
        before = at;
        at = at->next;
        pthread_mutex_lock(&at->lock);
    }
    before->next = node_new(key, at);
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
}

static void *work(void *arg)
{
    insert(*(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int three = 3, last = -1, length = 0;
    list = node_new(-1, node_new(5, node_new(100, NULL)));
    pthread_create(&t, NULL, work, &three);
    insert(7);
    pthread_join(t, NULL);
    for (struct node *n = list->next; n; n = n->next, length++) {
        assert(n->key > last);
        last = n->key;
    }
    assert(length == 4);
    return 0;
}

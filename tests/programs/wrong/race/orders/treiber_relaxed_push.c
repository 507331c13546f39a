/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
/* note: the node's plain fields are not released with it */
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;
static struct node node;
int copy;

static void *push(void *arg)
{
    struct node *n = arg;
    n->value = 5;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (
        !atomic_compare_exchange_weak_explicit(&top, &n->next, n, memory_order_relaxed, memory_order_relaxed))
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, push, &node);
    struct node *n = atomic_exchange_explicit(&top, NULL, memory_order_acquire);
    if (n)
        copy = n->value;
    pthread_join(t, NULL);
    return 0;
}

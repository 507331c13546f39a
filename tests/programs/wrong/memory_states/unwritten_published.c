/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* sc: violated uninitialised */
/* tso: violated uninitialised */
/* races: violated uninitialised */
/* note: the node is published before its value is stored, and without an order: under rc11 not even the allocation happens before */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int value;
};

static _Atomic(struct node *) head;

static void *publish(void *unused)
{
    struct node *n = malloc(sizeof *n);
    atomic_store_explicit(&head, n, memory_order_relaxed);
    atomic_store_explicit(&n->value, 1, memory_order_relaxed);
    return unused;
}

static void *look(void *unused)
{
    struct node *n = atomic_load_explicit(&head, memory_order_relaxed);
    if (n)
        atomic_fetch_add_explicit(&n->value, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

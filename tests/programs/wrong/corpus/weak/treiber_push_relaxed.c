/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|uninitialised */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: push publishes its node with a relaxed compare-exchange */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
static _Atomic(struct node *) top;
int seen;

static void *push(void *unused)
{
    (void)unused;
    struct node *n = malloc(sizeof *n);
    n->value = 5;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&top, &n->next, n, memory_order_relaxed,
                                                    memory_order_relaxed))
        ;
    return NULL;
}

static void *pop(void *unused)
{
    (void)unused;
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    if (n)
        seen = n->value;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, push, NULL);
    pthread_create(&t[1], NULL, pop, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}

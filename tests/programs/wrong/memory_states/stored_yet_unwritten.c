/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
/* sc: holds */
/* tso: holds */
/* races: violated uninitialised */
/* note: stored before it was published, but relaxed: only weak memory finds the block as malloc left it */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int v;
    atomic_int other;
};

static _Atomic(struct node *) head;

static void *publish(void *arg)
{
    struct node *n = malloc(sizeof *n);
    atomic_store_explicit(&n->v, 1, memory_order_relaxed);
    atomic_store_explicit(&head, n, memory_order_relaxed);
    return arg;
}

static void *look(void *arg)
{
    struct node *n = atomic_load_explicit(&head, memory_order_relaxed);
    if (n)
        atomic_load_explicit(&n->v, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&head));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: all bytes at once */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct node {
    atomic_int v;
    atomic_int other;
};

static _Atomic(struct node *) head;

static void *publish(void *arg)
{
    struct node *n = malloc(sizeof *n);
    memset(n, 0xa5, sizeof *n);
    atomic_store_explicit(&head, n, memory_order_release);
    return arg;
}

static void *look(void *arg)
{
    struct node *n = atomic_load_explicit(&head, memory_order_acquire);
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

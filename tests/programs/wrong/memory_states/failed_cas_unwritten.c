/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: dfs */
/* note: a CAS that fails has read, too */
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
    atomic_store_explicit(&head, n, memory_order_release);
    return arg;
}

static void *look(void *arg)
{
    struct node *n = atomic_load_explicit(&head, memory_order_acquire);
    int expected = 7;
    if (n)
        atomic_compare_exchange_strong(&n->v, &expected, 8);
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

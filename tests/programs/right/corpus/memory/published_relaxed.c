/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int value;
};
static _Atomic(struct node *) head;
int seen;

static void *writer(void *unused)
{
    (void)unused;
    struct node *n = malloc(sizeof *n);
    atomic_store_explicit(&n->value, 1, memory_order_relaxed);
    atomic_store_explicit(&head, n, memory_order_release);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    struct node *n = atomic_load_explicit(&head, memory_order_acquire);
    if (n)
        seen = atomic_load_explicit(&n->value, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* races: holds */
/* note: realloc copies what was never written: that writes nothing */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int value;
};

static _Atomic(struct node *) head;

static void *publish(void *unused)
{
    struct node *n = realloc(malloc(sizeof *n), 16 * sizeof *n);
    atomic_store_explicit(&head, n, memory_order_release);
    atomic_store_explicit(&n->value, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    struct node *n = atomic_load_explicit(&head, memory_order_acquire);
    int value = n ? atomic_load_explicit(&n->value, memory_order_relaxed) : 1;
    pthread_join(t, NULL);
    free(atomic_load(&head));
    return value - value;
}

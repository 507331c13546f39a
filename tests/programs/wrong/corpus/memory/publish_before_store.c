/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* note: the node is published before its value is stored: the reader may find what malloc left */
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
    atomic_store(&head, n);
    atomic_store(&n->value, 1);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    struct node *n = atomic_load(&head);
    if (n)
        seen = atomic_load(&n->value);
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

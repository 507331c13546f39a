/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* note: the new node's link is never set */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) list;

static void *writer(void *arg)
{
    (void)arg;
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    atomic_store(&list, n);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    struct node *n = atomic_load(&list);
    int last = n && !atomic_load(&n->next);
    pthread_join(t, NULL);
    return last > 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the node is published before its plain field is written */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
};

static _Atomic(struct node *) shared;
int copy;

static void *writer(void *arg)
{
    struct node *n = arg;
    atomic_store(&shared, n);
    n->value = 5;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct node *mine = calloc(1, sizeof *mine);
    pthread_create(&t, NULL, writer, mine);
    struct node *n = atomic_load(&shared);
    if (n)
        copy = n->value;
    pthread_join(t, NULL);
    free(mine);
    return 0;
}

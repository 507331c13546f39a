/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the top is set by a store instead of a CAS */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
};

static struct node nodes[2];
static _Atomic(struct node *) top;

static void *push(void *arg)
{
    struct node *n = arg;
    atomic_store(&n->next, atomic_load(&top));
    atomic_store(&top, n);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int length = 0;
    pthread_create(&t, NULL, push, &nodes[0]);
    push(&nodes[1]);
    pthread_join(t, NULL);
    for (struct node *n = atomic_load(&top); n; n = atomic_load(&n->next))
        length++;
    assert(length == 2);
    return 0;
}

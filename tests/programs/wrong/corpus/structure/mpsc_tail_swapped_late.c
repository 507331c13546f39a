/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: the producer links its node before it has the tail: two nodes are linked behind one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
};
static struct node stub, nodes[2];
static _Atomic(struct node *) tail = &stub;

static void push(struct node *n)
{
    struct node *before = atomic_load(&tail);
    atomic_store(&before->next, n);
    atomic_store(&tail, n);
}

static void *one(void *unused)
{
    (void)unused;
    push(&nodes[0]);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    push(&nodes[1]);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int count = 0;
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    for (struct node *n = atomic_load(&stub.next); n; n = atomic_load(&n->next))
        count++;
    assert(count == 2);
    return 0;
}

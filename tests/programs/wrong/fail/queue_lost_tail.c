/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: two enqueuers link behind the same tail, both by store */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
};

static struct node dummy, nodes[2];
static _Atomic(struct node *) tail = &dummy;

static void *enqueue(void *arg)
{
    struct node *n = arg, *last = atomic_load(&tail);
    atomic_store(&last->next, n);
    atomic_store(&tail, n);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int length = 0;
    pthread_create(&a, NULL, enqueue, &nodes[0]);
    pthread_create(&b, NULL, enqueue, &nodes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (struct node *n = atomic_load(&dummy.next); n; n = atomic_load(&n->next))
        length++;
    assert(length == 2);
    return 0;
}

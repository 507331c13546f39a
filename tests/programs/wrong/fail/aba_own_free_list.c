/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* runs: 10000 */
/* note: the top comes back with another successor while a pop sleeps between its load and its CAS */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    _Atomic(struct node *) next;
};

static struct node nodes[2] = {{NULL}, {&nodes[0]}};
static _Atomic(struct node *) top = &nodes[1];

static struct node *pop(void)
{
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_strong(&top, &n, atomic_load(&n->next)))
        ;
    return n;
}

static void push(struct node *n)
{
    struct node *old = atomic_load(&top);
    do
        atomic_store(&n->next, old);
    while (!atomic_compare_exchange_strong(&top, &old, n));
}

static void *user(void *arg)
{
    (void)arg;
    struct node *given_back = pop(), *kept = pop();
    if (given_back)
        push(given_back);
    return kept;
}

int main(void)
{
    pthread_t t;
    void *kept;
    pthread_create(&t, NULL, user, NULL);
    struct node *first = pop(), *second = pop();
    pthread_join(t, &kept);
    assert(!kept || (first != kept && second != kept));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;
static atomic_int popped_sum;

static void push(struct node *n, int value)
{
    n->value = value;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (
        !atomic_compare_exchange_weak_explicit(&top, &n->next, n, memory_order_release, memory_order_relaxed))
        ;
}

static struct node *pop(void)
{
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_weak_explicit(&top, &n, n->next, memory_order_acquire,
                                                       memory_order_acquire))
        ;
    return n;
}

static void *work(void *arg)
{
    push(arg, 3);
    struct node *n = pop();
    assert(n);
    atomic_fetch_add(&popped_sum, n->value);
    return NULL;
}

int main(void)
{
    static struct node nodes[2];
    pthread_t t;
    pthread_create(&t, NULL, work, &nodes[0]);
    work(&nodes[1]);
    pthread_join(t, NULL);
    assert(popped_sum == 6 && !pop());
    return 0;
}

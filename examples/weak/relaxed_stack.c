/* SPDX-License-Identifier: Apache-2.0 */
/* A Treiber stack whose push publishes the node without release: the popper may find the node without its value. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    atomic_int value;
    struct node *_Atomic next;
};

static struct node *_Atomic top;
static struct node nodes[2];

static void push(struct node *n, int value)
{
    atomic_store_explicit(&n->value, value, memory_order_relaxed);
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        atomic_store_explicit(&n->next, old, memory_order_relaxed);
    while (
        !atomic_compare_exchange_strong_explicit(&top, &old, n, memory_order_relaxed, memory_order_relaxed));
}

static int pop(void)
{
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n) {
        struct node *next = atomic_load_explicit(&n->next, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&top, &n, next, memory_order_acquire,
                                                    memory_order_acquire))
            return atomic_load_explicit(&n->value, memory_order_relaxed);
    }
    return -1;
}

static void *pusher(void *arg)
{
    push(&nodes[0], 1);
    return arg;
}

static void *popper(void *arg)
{
    assert(pop() != 0);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, pusher, NULL);
    pthread_create(&b, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

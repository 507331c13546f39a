// SPDX-License-Identifier: Apache-2.0
// Michael and Scott's queue. BOTH threads enqueue and dequeue; WRITERS only enqueue, READERS only dequeue.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef BOTH
#define BOTH 0
#endif
#ifndef WRITERS
#define WRITERS 0
#endif
#ifndef READERS
#define READERS 0
#endif
struct node {
    int value;
    _Atomic(struct node *) next;
};
static _Atomic(struct node *) head, tail;

static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}

static void enqueue(int value)
{
    struct node *n = new_node(value);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (last != atomic_load_explicit(&tail, memory_order_acquire))
            continue;
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, memory_order_release,
                                                    memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, n, memory_order_release,
                                                    memory_order_relaxed);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load_explicit(&head, memory_order_acquire);
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (first != atomic_load_explicit(&head, memory_order_acquire))
            continue;
        if (!next)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release,
                                                    memory_order_relaxed))
            return value;
    }
}

static void make_empty(void)
{
    struct node *dummy = new_node(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
}

#ifndef ENDING /* of bench/endings, which has other threads */
static void *work(void *what)
{
    if (what != (void *)2)
        enqueue(1);
    if (what != (void *)1)
        dequeue();
    return NULL;
}

int main(void)
{
    enum { ALL = BOTH + WRITERS + READERS };
    pthread_t t[ALL];
    make_empty();
    for (int i = 0; i < ALL; i++)
        pthread_create(&t[i], NULL, work, (void *)(long)(i < BOTH ? 0 : i < BOTH + WRITERS ? 1 : 2));
    for (int i = 0; i < ALL; i++)
        pthread_join(t[i], NULL);
}
#endif

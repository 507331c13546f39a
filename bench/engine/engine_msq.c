/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott (PODC 1996): two threads, each enqueues and dequeues once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static void enqueue(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (last != atomic_load_explicit(&tail, memory_order_acquire))
            continue;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail),
                    *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (first != last) {
            int value = next->value;
            if (atomic_compare_exchange_strong(&head, &first, next))
                return value;
        } else if (!next) {
            return -1;
        } else {
            atomic_compare_exchange_strong(&tail, &last, next);
        }
    }
}

static void *work(void *argument)
{
    enqueue((int)(intptr_t)argument);
    return (void *)(intptr_t)dequeue();
}

int main(void)
{
    pthread_t a, b;
    void *from_a, *from_b;
    struct node *dummy = malloc(sizeof *dummy);
    atomic_init(&dummy->next, NULL);
    atomic_store(&head, dummy);
    atomic_store(&tail, dummy);
    pthread_create(&a, NULL, work, (void *)1);
    pthread_create(&b, NULL, work, (void *)2);
    pthread_join(a, &from_a);
    pthread_join(b, &from_b);
    assert((intptr_t)from_a + (intptr_t)from_b == 3);
    return 0;
}

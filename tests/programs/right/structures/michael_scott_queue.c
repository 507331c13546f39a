/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

static _Atomic(struct node *) head, tail;

static void enqueue(int value)
{
    struct node *n = malloc(sizeof *n), *last, *next;
    n->value = value;
    atomic_init(&n->next, NULL);
    for (;;) {
        last = atomic_load(&tail);
        next = NULL;
        if (atomic_compare_exchange_strong(&last->next, &next, n))
            break;
        atomic_compare_exchange_strong(&tail, &last, next);
    }
    atomic_compare_exchange_strong(&tail, &last, n);
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (!next)
            return 0;
        if (first == last)
            atomic_compare_exchange_strong(&tail, &last, next);
        else if (atomic_compare_exchange_strong(&head, &first, next))
            return next->value;
    }
}

static void *work(void *arg)
{
    enqueue(*(int *)arg);
    return (void *)(intptr_t)dequeue();
}

int main(void)
{
    pthread_t t;
    int one = 1, two = 2;
    void *theirs;
    struct node *dummy = calloc(1, sizeof *dummy);
    atomic_store(&head, dummy);
    atomic_store(&tail, dummy);
    pthread_create(&t, NULL, work, &one);
    int mine = (int)(intptr_t)work(&two);
    pthread_join(t, &theirs);
    assert(mine + (int)(intptr_t)theirs == 3 && dequeue() == 0);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --fold */
/* note: Michael and Scott's queue; nothing is lost, nothing comes twice */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};
static _Atomic(struct node *) head, tail;
static int got[2];

static void enqueue(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release,
                                                    memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, memory_order_release,
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
        struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
        if (!next)
            return 0;
        int value = next->value;
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release,
                                                    memory_order_relaxed))
            return value;
    }
}

static void *work(void *argument)
{
    long me = (long)argument;
    enqueue((int)me + 1);
    got[me] = dequeue();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    struct node *dummy = malloc(sizeof *dummy);
    atomic_init(&dummy->next, NULL);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(got[0] + got[1] == 3 && got[0] != got[1]);
}

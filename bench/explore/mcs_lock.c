// SPDX-License-Identifier: Apache-2.0
// N threads take an MCS lock once each.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#ifndef N
#define N 4
#endif
struct node {
    _Atomic(struct node *) next;
    atomic_bool waits;
};
static _Atomic(struct node *) tail;
static struct node nodes[N];
static int shared;

static void lock(struct node *me)
{
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->waits, true, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->waits, memory_order_acquire))
        ;
}

static void unlock(struct node *me)
{
    struct node *expected = me, *next = atomic_load_explicit(&me->next, memory_order_acquire);
    if (!next) {
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->waits, false, memory_order_release);
}

static void *enter(void *node)
{
    lock(node);
    shared++;
    unlock(node);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, enter, &nodes[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
}

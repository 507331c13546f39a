/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: nodes of a queue lock lie on stacks, in the same place in each round, and wait there until they are told */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_int locked;
};

static _Atomic(struct node *) tail;
static int count;

static __attribute__((noinline)) void add(void)
{
    struct node own;
    atomic_init(&own.next, NULL);
    atomic_init(&own.locked, 1);
    struct node *before = atomic_exchange_explicit(&tail, &own, memory_order_acq_rel);
    if (before) {
        atomic_store_explicit(&before->next, &own, memory_order_release);
        while (atomic_load_explicit(&own.locked, memory_order_acquire))
            continue;
    }
    count++;
    struct node *expected = &own, *next;
    if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_acq_rel,
                                                memory_order_acquire))
        return;
    while (!(next = atomic_load_explicit(&own.next, memory_order_acquire)))
        continue;
    atomic_store_explicit(&next->locked, 0, memory_order_release);
}

static void *work(void *arg)
{
    add();
    add();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(count == 4);
    return 0;
}

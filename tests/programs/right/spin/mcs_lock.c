/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_int locked;
};

static _Atomic(struct waiter *) tail;
static int counter;

static void acquire(struct waiter *me)
{
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
    struct waiter *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->locked, memory_order_acquire))
        ;
}

static void release(struct waiter *me)
{
    struct waiter *next = atomic_load_explicit(&me->next, memory_order_acquire), *expected = me;
    if (!next) {
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL, memory_order_acq_rel,
                                                    memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->locked, 0, memory_order_release);
}

static void *add(void *arg)
{
    acquire(arg);
    counter++;
    release(arg);
    return NULL;
}

int main(void)
{
    static struct waiter waiters[3];
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, add, &waiters[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(counter == 3);
    return 0;
}

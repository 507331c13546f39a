/* SPDX-License-Identifier: Apache-2.0 */
/* The queue lock of Mellor-Crummey and Scott: who has to wait spins on a flag in a node of its own, and the holder before it lowers
 * that flag.
 *
 *   (none)       two threads read and write under the lock
 *   -DEXTENDED   three threads
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    atomic_bool waits;
};

struct mcs {
    _Atomic(struct node *) tail;
};

/** @Structure_Define:
    @DeclareVar: bool held;
    @InitVar: held = false;
    @Happens_Before: Unlock->Lock */

/** @Interface: Lock
    @Ordering_Point_Set: Lock_Node | Lock_Tail | Lock_Flag
    @PreCondition: !held
    @SideEffect: held = true; */
static void lock(struct mcs *l, struct node *me)
{
    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    /** @Ordering_Point_Label_Check: true
        @Label: Lock_Node */
    atomic_store_explicit(&me->waits, true, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&l->tail, me, memory_order_acq_rel);
    /** @Ordering_Point_Label_Check: true
        @Label: Lock_Tail */
    if (!before)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->waits, memory_order_acquire))
        ;
    /** @Ordering_Point_Label_Check: true
        @Label: Lock_Flag */
}

/** @Interface: Unlock
    @Ordering_Point_Set: Unlock_Node | Unlock_Tail | Unlock_Flag
    @PreCondition: held
    @SideEffect: held = false; */
static void unlock(struct mcs *l, struct node *me)
{
    struct node *next = atomic_load_explicit(&me->next, memory_order_acquire);
    /** @Ordering_Point_Label_Check: true
        @Label: Unlock_Node */
    if (!next) {
        struct node *last = me;
        bool alone = atomic_compare_exchange_strong_explicit(&l->tail, &last, NULL, memory_order_release,
                                                             memory_order_relaxed);
        /** @Ordering_Point_Label_Check: alone
            @Label: Unlock_Tail */
        if (alone)
            return;
        while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->waits, false, memory_order_release);
    /** @Ordering_Point_Label_Check: true
        @Label: Unlock_Flag */
}

static struct mcs mutex;
static atomic_int shared;

static void *worker(void *arg)
{
    struct node *me = arg;
    lock(&mutex, me);
    atomic_store_explicit(&shared, 1, memory_order_relaxed);
    unlock(&mutex, me);
    lock(&mutex, me);
    atomic_load_explicit(&shared, memory_order_relaxed);
    unlock(&mutex, me);
    return NULL;
}

int main(void)
{
    static struct node nodes[3];
    pthread_t one, two;
    pthread_create(&one, NULL, worker, &nodes[0]);
    pthread_create(&two, NULL, worker, &nodes[1]);
#ifdef EXTENDED
    lock(&mutex, &nodes[2]);
    atomic_store_explicit(&shared, 2, memory_order_relaxed);
    unlock(&mutex, &nodes[2]);
#endif
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

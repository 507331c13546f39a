/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: the point is in a loop that only waits, with a condition that is false there */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/** @Structure_Define:
    @DeclareVar: bool taken;
    @InitVar: taken = false;
    @Happens_Before: Unlock -> Lock */
struct spinlock {
    atomic_int word;
};

/** @Interface: Lock
    @Ordering_Point_Set: Taken
    @PreCondition: !taken
    @SideEffect: taken = true; */
static void take(struct spinlock *l)
{
    int before;
    do {
        before = atomic_exchange_explicit(&l->word, 1, memory_order_acquire);
        /** @Ordering_Point_Label_Check: before == 0
            @Label: Taken */
    } while (before);
}

/** @Interface: Unlock
    @Ordering_Point_Set: Given
    @PreCondition: taken
    @SideEffect: taken = false; */
static void give(struct spinlock *l)
{
    atomic_store_explicit(&l->word, 0, memory_order_release);
    /** @Ordering_Point_Label_Check: true
        @Label: Given */
}

static struct spinlock lock;
static int shared;

static void *work(void *unused)
{
    (void)unused;
    take(&lock);
    shared++;
    give(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: which operation was the one that counts is known later; points of rounds that failed are dropped */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0; */
static atomic_int cell;

static int look(void)
{
    int found = atomic_load_explicit(&cell, memory_order_acquire);
    /** @Potential_Ordering_Point: true
        @Label: Looked */
    return found;
}

/** @Interface: Get
    @Ordering_Point_Set: Got
    @PostCondition: value == __RET__ */
static int get(void)
{
    int first = look(), second = look();
    /** @Ordering_Point_Check: true
        @Potential_Ordering_Point_Label: Looked
        @Label: Got */
    (void)first;
    return second;
}

/** @Interface: Raise
    @Ordering_Point_Set: Seen | Raised
    @SideEffect: if (__RET__) value++; */
static bool raise_twice_at_most(void)
{
    for (int k = 0; k < 2; k++) {
        int found = look();
        /** @Ordering_Point_Label_Check: true
            @Label: Seen */
        bool done = atomic_compare_exchange_strong(&cell, &found, found + 1);
        /** @Ordering_Point_Label_Check: done
            @Label: Raised */
        if (done)
            return true;
        /** @Ordering_Point_Clear: true
            @Label: Seen */
    }
    return false;
}

static void *work(void *unused)
{
    (void)unused;
    raise_twice_at_most();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    raise_twice_at_most();
    get();
    pthread_join(a, NULL);
}

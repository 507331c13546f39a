/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* tso: holds */
/* sc: holds */
/* note: the value is right, but what was written before put may be unseen after get */
#include <pthread.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0;
    @Happens_Before: Put -> Get(some) */
static atomic_int cell;

/** @Interface: Put
    @Ordering_Point_Set: Stored
    @SideEffect: value = v; */
static void put(int v)
{
    atomic_store_explicit(&cell, v, memory_order_relaxed);
    /** @Ordering_Point_Label_Check: true
        @Label: Stored */
}

/** @Interface: Get
    @Ordering_Point_Set: Loaded
    @HB_Condition: some :: __RET__ != 0
    @PostCondition: value == __RET__ */
static int get(void)
{
    int v = atomic_load_explicit(&cell, memory_order_relaxed);
    /** @Ordering_Point_Label_Check: true
        @Label: Loaded */
    return v;
}

static void *work(void *unused)
{
    (void)unused;
    put(1);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    get();
    pthread_join(a, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* note: calls in a loop that only waits: executions in which it waits longer are left out, and what these calls answer with them */
#include <pthread.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0; */
static atomic_int cell;

/** @Interface: Put
    @Ordering_Point_Set: Stored
    @SideEffect: value = 1; */
static void put(void)
{
    atomic_store(&cell, 1);
    /** @Ordering_Point_Label_Check: true
        @Label: Stored */
}

/** @Interface: Get
    @Ordering_Point_Set: Loaded
    @PostCondition: value == __RET__ */
static int get(void)
{
    int v = atomic_load(&cell);
    /** @Ordering_Point_Label_Check: true
        @Label: Loaded */
    return v;
}

static void *work(void *unused)
{
    (void)unused;
    put();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    while (!get())
        ;
    pthread_join(a, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: error */
/* mode: all */
/* note: a part of the state is no variable of the specification: it is not put back when another order is tried */
#include <pthread.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0;
    @DefineFunc: int next(void) { static int n; return ++n; } */
static atomic_int left, right;

/** @Interface: Put
    @Ordering_Point_Set: Stored
    @SideEffect: value = 0; */
static void put(void)
{
    atomic_store(&left, 1);
    /** @Ordering_Point_Label_Check: true
        @Label: Stored */
}

/** @Interface: Get
    @Ordering_Point_Set: Loaded
    @SideEffect: value = next();
    @PostCondition: value == 2 */
static int get(void)
{
    int v = atomic_load(&right);
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
    get();
    pthread_join(a, NULL);
}

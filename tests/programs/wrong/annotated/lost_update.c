/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated condition */
/* note: a load and a store instead of an update */
#include <pthread.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int sum;
    @InitVar: sum = 0; */
static atomic_int counter;

/** @Interface: Add
    @Ordering_Point_Set: Stored
    @SideEffect: sum++;
    @PostCondition: sum == __RET__ */
static int add(void)
{
    int v = atomic_load(&counter) + 1;
    atomic_store(&counter, v);
    /** @Ordering_Point_Label_Check: true
        @Label: Stored */
    return v;
}

static void *work(void *unused)
{
    (void)unused;
    add();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    add();
    pthread_join(a, NULL);
}

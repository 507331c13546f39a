/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated condition */
/* note: a signal is no point: it is the store before it, which orders the calls */
#include <pthread.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0; */
static atomic_int cell;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/** @Interface: Put
    @Ordering_Point_Set: Stored
    @SideEffect: value = 1; */
static void put(void)
{
    atomic_store(&cell, 1);
    pthread_cond_signal(&changed);
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
    return !v;
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

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a function of the specification follows the pointer, and finds what was there when the call ended */
#include <pthread.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0;
    @DefineFunc: int same(const int *p) { return *p == value; } */
static atomic_int cell;

/** @Interface: Put
    @Ordering_Point_Set: Stored
    @SideEffect: value = v; */
static void put(int v)
{
    atomic_store(&cell, v);
    /** @Ordering_Point_Label_Check: true
        @Label: Stored */
}

/** @Interface: Get
    @Ordering_Point_Set: Loaded
    @PostCondition: same(out) */
static void get(int *out)
{
    *out = atomic_load(&cell);
    /** @Ordering_Point_Label_Check: true
        @Label: Loaded */
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
    int found;
    pthread_create(&a, NULL, work, NULL);
    get(&found);
    get(&found);
    found = 77;
    pthread_join(a, NULL);
}

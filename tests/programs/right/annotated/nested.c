/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: add_two calls add; the second of its points is its own, too */
#include <pthread.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int sum; int twice;
    @InitVar: sum = twice = 0; */
static atomic_int counter;

/** @Interface: Add
    @Ordering_Point_Set: Added | Last_Added
    @SideEffect: sum += by;
    @PostCondition: sum == __RET__ + by */
static int add(int by, int last)
{
    int before = atomic_fetch_add_explicit(&counter, by, memory_order_acq_rel);
    /** @Ordering_Point_Label_Check: !last
        @Label: Added */
    /** @Ordering_Point_Label_Check: last
        @Label: Last_Added */
    return before;
}

/** @Interface: AddTwo
    @Ordering_Point_Set: Last_Added
    @SideEffect: twice++;
    @PostCondition: sum >= 2 * twice */
static void add_two(void)
{
    add(1, 0);
    add(1, 1);
}

static void *work(void *unused)
{
    (void)unused;
    add_two();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    add_two();
    add(3, 0);
    pthread_join(a, NULL);
}

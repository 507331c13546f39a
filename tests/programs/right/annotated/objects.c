/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: each object has a state of its own: by the first parameter, or as @Object says; what follows is looked at as before */
#include <pthread.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int sum;
    @InitVar: sum = 0; */
struct counter {
    atomic_int value;
};
static struct counter counters[2];

/** @Interface: Add
    @Ordering_Point_Set: Added
    @SideEffect: sum++;
    @PostCondition: sum == __RET__ + 1 */
static int add(struct counter *c)
{
    int before = atomic_fetch_add(&c->value, 1);
    /** @Ordering_Point_Label_Check: true
        @Label: Added */
    return before;
}

/** @Interface: AddTo
    @Ordering_Point_Set: Added_To
    @Object: &counters[which]
    @SideEffect: sum++;
    @PostCondition: sum == __RET__ + 1 */
static int add_to(int which)
{
    int before = atomic_fetch_add(&counters[which].value, 1);
    /** @Ordering_Point_Label_Check: true
        @Label: Added_To */
    return before;
}

static void *work(void *unused)
{
    add_to(1);
    add(&counters[0]);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    add_to(0);
    add(&counters[1]);
    pthread_join(other, NULL);
}

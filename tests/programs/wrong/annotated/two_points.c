/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated ordering-points */
/* note: two variables are written one after the other, and read one after the other: the reader may be between */
#include <pthread.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int version;
    @InitVar: version = 0; */
static atomic_int left, right;

/** @Interface: Write
    @Ordering_Point_Set: Wrote
    @SideEffect: version++; */
static void write_both(void)
{
    atomic_store(&left, 1);
    /** @Ordering_Point_Label_Check: true
        @Label: Wrote */
    atomic_store(&right, 1);
    /** @Ordering_Point_Label_Check: true
        @Label: Wrote */
}

/** @Interface: Read
    @Ordering_Point_Set: Found
    @PostCondition: __RET__ == 1 || 2 * version == __RET__ */
static int read_both(void)
{
    int l = atomic_load(&left);
    /** @Ordering_Point_Label_Check: true
        @Label: Found */
    int r = atomic_load(&right);
    /** @Ordering_Point_Label_Check: true
        @Label: Found */
    return l + r;
}

static void *work(void *unused)
{
    (void)unused;
    write_both();
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    read_both();
    pthread_join(a, NULL);
}

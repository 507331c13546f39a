/* A call that is left by longjmp, and one that begins long before its first step. */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0; */
static atomic_int cell;

/** @Interface: Put
    @Ordering_Point_Set: Stored
    @SideEffect: value = 1; */
__attribute__((noinline)) static void put(jmp_buf out)
{
    atomic_store(&cell, 1);
    /** @Ordering_Point_Label_Check: true
        @Label: Stored */
    longjmp(out, 1);
}

/** @Interface: Get
    @Ordering_Point_Set: Loaded
    @PostCondition: value == 0 */
static int get(void)
{
    int found = atomic_load(&cell);
    /** @Ordering_Point_Label_Check: true
        @Label: Loaded */
    return found;
}

static void *work(void *unused)
{
    jmp_buf out;
    if (!setjmp(out))
        put(out);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    get();
    pthread_join(other, NULL);
}

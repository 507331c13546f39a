/* A register: -DLIE stores something else, -DWEAK does not synchronize, -DTWICE has points that contradict each other. */
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif
#ifdef LIE
#define LIES 1
#else
#define LIES 0
#endif
#ifdef TWICE
#define TWICES 1
#else
#define TWICES 0
#endif

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0;
    @Happens_Before: Set -> Get(found) */
static atomic_int cell, other;

/** @Interface: Set
    @Ordering_Point_Set: stored | again
    @SideEffect: value = to; */
void set(int to)
{
    atomic_store_explicit(&cell, to + LIES, memory_order_release);
    /** @Ordering_Point_Label_Check: 1
        @Label: stored */
    if (TWICES)
        atomic_store_explicit(&other, to, memory_order_release);
    /** @Ordering_Point_Label_Check: TWICES
        @Label: again */
}

/** @Interface: Get
    @Ordering_Point_Set: loaded | again
    @HB_Condition: found :: __RET__ != 0
    @PostCondition: __RET__ == value */
int get(void)
{
    int found = atomic_load_explicit(&cell, ACQUIRE);
    /** @Ordering_Point_Label_Check: 1
        @Label: loaded */
    if (TWICES)
        atomic_load_explicit(&other, ACQUIRE);
    /** @Ordering_Point_Label_Check: TWICES
        @Label: again */
    return found;
}

static void *setter(void *unused)
{
    set(1);
    return unused;
}

static void *getter(void *unused)
{
    get();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, setter, 0);
    pthread_create(&b, 0, getter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

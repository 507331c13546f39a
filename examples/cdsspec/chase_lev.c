/* SPDX-License-Identifier: Apache-2.0 */
/* A work-stealing deque (Chase and Lev) with C11's atomics: the owner pushes and takes at the bottom, others steal at the top. The array
 * grows; the bigger one has to be published with release, or a thief may not find its elements.
 *
 *   (none)       one thread pushes 3 items and takes 2, the other steals 1; the second push fills the first array
 *   -DEXTENDED   two thieves, and the owner pushes again after it has taken
 *   -DTHIEVES    three thieves while the owner pushes; one of them may find nothing before the last push
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { NOTHING = -1, LOST = -2, FIRST_SIZE = 2 };

struct array {
    size_t size;
    atomic_int items[];
};

struct deque {
    atomic_long top, bottom;
    _Atomic(struct array *) array;
};

/** @Structure_Define:
    @DeclareVar: int items[16]; int first, last;
    @InitVar: first = 0; last = 0;
    @Happens_Before: Push->Take(took) Push->Steal(stole) */

/* A thief that comes too late may look at an item that was not copied; its compare-and-exchange fails then. */
static struct array *new_array(size_t size)
{
    struct array *a = calloc(1, sizeof *a + size * sizeof a->items[0]);
    a->size = size;
    return a;
}

static void init(struct deque *q)
{
    atomic_init(&q->top, 0);
    atomic_init(&q->bottom, 0);
    atomic_init(&q->array, new_array(FIRST_SIZE));
}

static struct array *grow(struct deque *q, struct array *old, long top, long bottom)
{
    struct array *bigger = new_array(2 * old->size);
    for (long i = top; i < bottom; i++) {
        int item = atomic_load_explicit(&old->items[(size_t)i % old->size], memory_order_relaxed);
        atomic_store_explicit(&bigger->items[(size_t)i % bigger->size], item, memory_order_relaxed);
    }
    atomic_store_explicit(&q->array, bigger, memory_order_release);
    return bigger;
}

/** @Interface: Push
    @Ordering_Point_Set: Push_Bottom
    @ID: item
    @SideEffect: items[last++] = item; */
static void push(struct deque *q, int item)
{
    long b = atomic_load_explicit(&q->bottom, memory_order_relaxed);
    long t = atomic_load_explicit(&q->top, memory_order_acquire);
    struct array *a = atomic_load_explicit(&q->array, memory_order_relaxed);
    if (b - t > (long)a->size - 1)
        a = grow(q, a, t, b);
    atomic_store_explicit(&a->items[(size_t)b % a->size], item, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed);
    /** @Ordering_Point_Label_Check: true
        @Label: Push_Bottom */
}

/** @Interface: Take
    @Ordering_Point_Set: Take_Top | Take_Bottom
    @ID: __RET__
    @HB_Condition: took :: __RET__ != NOTHING
    @PreCondition: __RET__ == (first == last ? NOTHING : items[last - 1])
    @SideEffect: if (first != last) last--; */
static int take(struct deque *q)
{
    long b = atomic_load_explicit(&q->bottom, memory_order_relaxed) - 1;
    struct array *a = atomic_load_explicit(&q->array, memory_order_relaxed);
    atomic_store_explicit(&q->bottom, b, memory_order_relaxed);
    /** @Potential_Ordering_Point: true
        @Label: Lowered */
    atomic_thread_fence(memory_order_seq_cst);
    long t = atomic_load_explicit(&q->top, memory_order_relaxed);
    int item = NOTHING;
    if (t <= b)
        item = atomic_load_explicit(&a->items[(size_t)b % a->size], memory_order_relaxed);
    if (t < b) {
        /** @Ordering_Point_Check: true
            @Potential_Ordering_Point_Label: Lowered
            @Label: Take_Bottom */
        return item;
    }
    if (t == b && !atomic_compare_exchange_strong_explicit(&q->top, &t, t + 1, memory_order_seq_cst,
                                                           memory_order_relaxed))
        item = NOTHING;
    /** @Ordering_Point_Label_Check: true
        @Label: Take_Top */
    atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed);
    /** @Ordering_Point_Label_Check: true
        @Label: Take_Bottom */
    return item;
}

/** @Interface: Steal
    @Ordering_Point_Set: Steal_Top | Steal_Bottom
    @ID: __RET__
    @HB_Condition: stole :: __RET__ >= 0
    @PreCondition: __RET__ == LOST || (__RET__ == NOTHING ? last - first <= 1 : first < last && __RET__ == items[first])
    @SideEffect: if (__RET__ >= 0) first++; */
static int steal(struct deque *q)
{
    long t = atomic_load_explicit(&q->top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long b = atomic_load_explicit(&q->bottom, memory_order_acquire);
    /* The owner lowers the bottom before it takes the last item: a thief may find nothing a little early. */
    /** @Ordering_Point_Label_Check: true
        @Label: Steal_Bottom */
    if (t >= b)
        return NOTHING;
    struct array *a = atomic_load_explicit(&q->array, memory_order_acquire);
    int item = atomic_load_explicit(&a->items[(size_t)t % a->size], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&q->top, &t, t + 1, memory_order_seq_cst,
                                                 memory_order_relaxed))
        return LOST;
    /** @Ordering_Point_Label_Check: true
        @Label: Steal_Top */
    return item;
}

static struct deque deque;

static void *owner(void *arg)
{
    push(&deque, 1);
    push(&deque, 2);
    push(&deque, 3);
    take(&deque);
#ifndef THIEVES
    take(&deque);
#endif
#ifdef EXTENDED
    push(&deque, 4);
    take(&deque);
#endif
    return arg;
}

static void *thief(void *arg)
{
    steal(&deque);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    init(&deque);
    pthread_create(&one, NULL, owner, NULL);
    pthread_create(&two, NULL, thief, NULL);
#ifdef EXTENDED
    thief(NULL);
#endif
#ifdef THIEVES
    pthread_t three;
    pthread_create(&three, NULL, thief, NULL);
    thief(NULL);
    pthread_join(three, NULL);
#endif
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

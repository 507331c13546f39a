/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott: a list with an empty node in front. The tail may lag behind the last node; who finds it so moves it.
 *
 *   (none)       one thread enqueues, the other dequeues
 *   -DEXTENDED   two threads enqueue and dequeue, a third enqueues: each may have to help others
 *   -DBUG        one order is too weak: after its own enqueue has returned, a thread may find the queue empty. What main can
 *                assert of every execution, where 0 stands for nothing, holds even so; the specification does not. (Nodes are
 *                from a pool of zeros: those from malloc would be read before they are written, which is an error by itself.)
 *   -DFIRST      the enqueues come first. Now nothing is wrong, even with -DBUG.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

struct queue {
    _Atomic(struct node *) head, tail;
};

/** @Structure_Define:
    @DeclareVar: int values[16]; int first, last;
    @InitVar: first = 0; last = 0;
    @Happens_Before: Enqueue->Dequeue(got) */

/* Nodes are never used twice. */
static struct node *new_node(int value)
{
#ifdef BUG
    static struct node pool[4];
    static atomic_int used;
    struct node *n = &pool[atomic_fetch_add_explicit(&used, 1, memory_order_relaxed)];
#else
    struct node *n = malloc(sizeof *n);
    atomic_init(&n->next, NULL);
#endif
    n->value = value;
    return n;
}

static void init(struct queue *q)
{
    struct node *n = new_node(0);
    atomic_init(&q->head, n);
    atomic_init(&q->tail, n);
}

/** @Interface: Enqueue
    @Ordering_Point_Set: Enqueue_Tail | Enqueue_Link
    @ID: value
    @SideEffect: values[last++] = value; */
static void enqueue(struct queue *q, int value)
{
    struct node *n = new_node(value);
    for (;;) {
#ifdef BUG
        struct node *tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
#else
        struct node *tail = atomic_load_explicit(&q->tail, memory_order_acquire);
#endif
        /** @Potential_Ordering_Point: true
            @Label: Saw_Tail */
        struct node *next = atomic_load_explicit(&tail->next, memory_order_acquire);
        if (next) {
            atomic_compare_exchange_strong_explicit(&q->tail, &tail, next, memory_order_release,
                                                    memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&tail->next, &next, n, memory_order_release,
                                                    memory_order_relaxed)) {
            /** @Ordering_Point_Label_Check: true
                @Label: Enqueue_Link */
            /** @Ordering_Point_Check: true
                @Potential_Ordering_Point_Label: Saw_Tail
                @Label: Enqueue_Tail */
            atomic_compare_exchange_strong_explicit(&q->tail, &tail, n, memory_order_release,
                                                    memory_order_relaxed);
            return;
        }
    }
}

/** @Interface: Dequeue
    @Ordering_Point_Set: Dequeue_Head | Dequeue_Link
    @ID: *value
    @HB_Condition: got :: __RET__
    @SideEffect: if (__RET__) first++;
    @PostCondition: __RET__ ? first <= last && *value == values[first - 1] : first == last */
static bool dequeue(struct queue *q, int *value)
{
    for (;;) {
        struct node *head = atomic_load_explicit(&q->head, memory_order_acquire);
        /** @Potential_Ordering_Point: true
            @Label: Saw_Head */
        struct node *tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
        struct node *next = atomic_load_explicit(&head->next, memory_order_acquire);
        /** @Potential_Ordering_Point: true
            @Label: Saw_Next */
        if (!next) {
            /** @Ordering_Point_Check: true
                @Potential_Ordering_Point_Label: Saw_Head
                @Label: Dequeue_Head */
            /** @Ordering_Point_Check: true
                @Potential_Ordering_Point_Label: Saw_Next
                @Label: Dequeue_Link */
            return false;
        }
        if (head == tail) {
            atomic_compare_exchange_strong_explicit(&q->tail, &tail, next, memory_order_release,
                                                    memory_order_relaxed);
            continue;
        }
        *value = next->value;
        if (atomic_compare_exchange_strong_explicit(&q->head, &head, next, memory_order_release,
                                                    memory_order_relaxed)) {
            /** @Ordering_Point_Label_Check: true
                @Label: Dequeue_Head */
            /** @Ordering_Point_Check: true
                @Potential_Ordering_Point_Label: Saw_Next
                @Label: Dequeue_Link */
            return true;
        }
    }
}

static struct queue queue;
static int out[2];

static void *enqueues(void *arg)
{
    enqueue(&queue, 1);
    return arg;
}

static void *dequeues(void *arg)
{
    dequeue(&queue, arg);
    return NULL;
}

static void *both(void *arg)
{
    enqueue(&queue, arg == &out[0] ? 1 : 2);
    dequeue(&queue, arg);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    init(&queue);
#if defined FIRST
    enqueue(&queue, 1);
    enqueue(&queue, 2);
    pthread_create(&one, NULL, dequeues, &out[0]);
    pthread_create(&two, NULL, dequeues, &out[1]);
#elif defined EXTENDED || defined BUG
    pthread_create(&one, NULL, both, &out[0]);
    pthread_create(&two, NULL, both, &out[1]);
#ifdef EXTENDED
    enqueue(&queue, 3);
#endif
#else
    pthread_create(&one, NULL, enqueues, NULL);
    pthread_create(&two, NULL, dequeues, &out[1]);
#endif
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    /* Right whatever the threads found: nothing comes out twice, or that was not put in. */
    assert(out[0] >= 0 && out[0] <= 3 && out[1] >= 0 && out[1] <= 3);
    assert(out[0] != out[1] || out[0] == 0);
    (void)enqueues, (void)dequeues, (void)both;
    return 0;
}

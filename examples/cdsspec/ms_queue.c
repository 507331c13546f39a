/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott: a list with an empty node in front. The tail may lag behind the last node; who finds it so moves it.
 *
 *   (none)       one thread enqueues, the other dequeues
 *   -DEXTENDED   two threads enqueue and dequeue, a third enqueues: each may have to help others
 *   -DBUG        one order is too weak: a dequeue may find that the tail has moved on, and yet no next node. It takes the end of the
 *                list for a node, and its 0 for a value.
 *   -DZERO       a specification for which the value 0 means that there was none: -DBUG passes it
 *   -DFIRST      a driver that enqueues first: -DBUG passes, whatever the specification
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

static struct node end = {0, &end}; /* the last node's next */

/** @Structure_Define:
    @DeclareVar: int values[16]; int first, last;
    @InitVar: first = 0; last = 0;
    @Happens_Before: Enqueue->Dequeue(got) */

/* Nodes are never used twice. */
static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, &end);
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
        struct node *tail = atomic_load_explicit(&q->tail, memory_order_acquire);
        /** @Potential_Ordering_Point: true
            @Label: Saw_Tail */
        struct node *next = atomic_load_explicit(&tail->next, memory_order_acquire);
        if (next != &end) {
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

#ifndef ZERO
/** @Interface: Dequeue
    @Ordering_Point_Set: Dequeue_Head | Dequeue_Link
    @ID: *value
    @HB_Condition: got :: __RET__
    @SideEffect: if (__RET__) first++;
    @PostCondition: __RET__ ? first <= last && *value == values[first - 1] : first == last */
#else
/** @Interface: Dequeue
    @Ordering_Point_Set: Dequeue_Head | Dequeue_Link
    @ID: *value
    @HB_Condition: got :: *value
    @SideEffect: if (*value) first++;
    @PostCondition: *value ? first <= last && *value == values[first - 1] : first == last */
#endif
static bool dequeue(struct queue *q, int *value)
{
    for (;;) {
        struct node *head = atomic_load_explicit(&q->head, memory_order_acquire);
        /** @Potential_Ordering_Point: true
            @Label: Saw_Head */
#ifdef BUG
        struct node *tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
#else
        struct node *tail = atomic_load_explicit(&q->tail, memory_order_acquire);
#endif
        struct node *next = atomic_load_explicit(&head->next, memory_order_acquire);
        /** @Potential_Ordering_Point: true
            @Label: Saw_Next */
        if (head == tail) {
            if (next == &end) {
                /** @Ordering_Point_Check: true
                    @Potential_Ordering_Point_Label: Saw_Head
                    @Label: Dequeue_Head */
                /** @Ordering_Point_Check: true
                    @Potential_Ordering_Point_Label: Saw_Next
                    @Label: Dequeue_Link */
                return false;
            }
            atomic_compare_exchange_strong_explicit(&q->tail, &tail, next, memory_order_release,
                                                    memory_order_relaxed);
            continue;
        }
        int found = next->value;
        if (atomic_compare_exchange_strong_explicit(&q->head, &head, next, memory_order_release,
                                                    memory_order_relaxed)) {
            /** @Ordering_Point_Label_Check: true
                @Label: Dequeue_Head */
            /** @Ordering_Point_Check: true
                @Potential_Ordering_Point_Label: Saw_Next
                @Label: Dequeue_Link */
            *value = found;
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

static void *enqueue_and_dequeue(void *arg)
{
    enqueue(&queue, 1);
    dequeue(&queue, arg);
    return NULL;
}

static void *dequeue_and_enqueue(void *arg)
{
    dequeue(&queue, arg);
    enqueue(&queue, 2);
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
#elif defined EXTENDED
    pthread_create(&one, NULL, enqueue_and_dequeue, &out[0]);
    pthread_create(&two, NULL, dequeue_and_enqueue, &out[1]);
    enqueue(&queue, 3);
#else
    pthread_create(&one, NULL, enqueues, NULL);
    pthread_create(&two, NULL, dequeues, &out[1]);
#endif
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    /* Right whatever the threads found: nothing comes out twice, or that was not put in. 0 is nothing. */
    assert(out[0] >= 0 && out[0] <= 3 && out[1] >= 0 && out[1] <= 3);
    assert(out[0] != out[1] || out[0] == 0);
    (void)enqueues, (void)dequeues, (void)enqueue_and_dequeue, (void)dequeue_and_enqueue;
    return 0;
}

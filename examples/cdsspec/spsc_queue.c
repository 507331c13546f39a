/* SPDX-License-Identifier: Apache-2.0 */
/* A queue for one producer and one consumer: a list with an empty node in front. The producer links nodes at the end, the
 * consumer follows the links; nothing else is shared.
 *
 *   (none)       one thread enqueues a value, the other dequeues
 *   -DEXTENDED   three of each
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

struct queue {
    struct node *last;  /* the producer's */
    struct node *first; /* the consumer's */
};

/** @Structure_Define:
    @DeclareVar: int values[16]; int first, last;
    @InitVar: first = 0; last = 0;
    @Happens_Before: Enqueue->Dequeue(got) */

static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}

static void init(struct queue *q)
{
    q->first = q->last = new_node(0);
}

/** @Interface: Enqueue
    @Ordering_Point_Set: Enqueue_Point
    @ID: value
    @SideEffect: values[last++] = value; */
static void enqueue(struct queue *q, int value)
{
    struct node *n = new_node(value);
    atomic_store_explicit(&q->last->next, n, memory_order_release);
    /** @Ordering_Point_Label_Check: true
        @Label: Enqueue_Point */
    q->last = n;
}

/** @Interface: Dequeue
    @Ordering_Point_Set: Dequeue_Point
    @ID: *value
    @HB_Condition: got :: __RET__
    @SideEffect: if (__RET__) first++;
    @PostCondition: __RET__ ? first <= last && *value == values[first - 1] : first == last */
static bool dequeue(struct queue *q, int *value)
{
    struct node *next = atomic_load_explicit(&q->first->next, memory_order_acquire);
    /** @Ordering_Point_Label_Check: true
        @Label: Dequeue_Point */
    if (!next)
        return false;
    *value = next->value;
    free(q->first);
    q->first = next;
    return true;
}

#ifdef EXTENDED
enum { ITEMS = 3 };
#else
enum { ITEMS = 1 };
#endif
static struct queue queue;

static void *producer(void *arg)
{
    for (int i = 1; i <= ITEMS; i++)
        enqueue(&queue, i);
    return arg;
}

static void *consumer(void *arg)
{
    for (int i = 1; i <= ITEMS; i++) {
        int value = 0;
        dequeue(&queue, &value);
    }
    return arg;
}

int main(void)
{
    pthread_t one, two;
    init(&queue);
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}

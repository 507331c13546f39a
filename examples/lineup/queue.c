/* SPDX-License-Identifier: Apache-2.0 */
/* A queue with two locks, one per end (Michael and Scott, PODC 1996).
 *
 *     enqueue(v)     adds at the back
 *     try_dequeue    removes the front and answers it, or none
 *     try_peek       the front, or none
 *     count          how many elements there are
 *     is_empty       are there none?
 *     to_array       all elements, the front first
 *
 * -DBUG_B (root cause B): try_dequeue waits for the lock with a limit of time, and answers "none" when it is
 * reached. So it fails because somebody else was at work, not because the queue was empty.
 *
 *     plumb check queue.c --test 'enqueue(200) try_dequeue | try_peek' -- -DBUG_B
 *
 * try_dequeue answers none although 200 has been added before and nobody else removes anything. (Line-Up's
 * figure 1 is 'enqueue(200) try_dequeue | enqueue(400) try_dequeue', which fails, too.)
 */
#include "deadline.h"

#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SHOWN_MAX = 16 };

struct node {
    _Atomic(struct node *) next;
    int value;
};

/* `first` is a node that was removed already; the front comes after it. */
static struct node *first, *last;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, last_lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *make_node(int value)
{
    struct node *n = malloc(sizeof *n);
    atomic_init(&n->next, NULL);
    n->value = value;
    return n;
}

static struct node *after(struct node *n)
{
    return atomic_load_explicit(&n->next, memory_order_acquire);
}

static void queue_enqueue(int value)
{
    struct node *n = make_node(value);
    pthread_mutex_lock(&last_lock);
    atomic_store_explicit(&last->next, n, memory_order_release);
    last = n;
    pthread_mutex_unlock(&last_lock);
}

static bool lock_front(void)
{
#ifdef BUG_B
    struct timespec until = deadline_after(1);
    return pthread_mutex_timedlock(&first_lock, &until) == 0;
#else
    return pthread_mutex_lock(&first_lock) == 0;
#endif
}

static bool queue_try_dequeue(int *value)
{
    if (!lock_front())
        return false;
    struct node *old = first, *front = after(old);
    if (front) {
        *value = front->value;
        first = front;
    }
    pthread_mutex_unlock(&first_lock);
    if (front)
        free(old);
    return front;
}

static bool queue_try_peek(int *value)
{
    pthread_mutex_lock(&first_lock);
    struct node *front = after(first);
    if (front)
        *value = front->value;
    pthread_mutex_unlock(&first_lock);
    return front;
}

/* Both ends stand still meanwhile. Stores what fits and returns how many elements there are. */
static size_t queue_elements(plumb_value *shown)
{
    size_t count = 0;
    pthread_mutex_lock(&first_lock);
    pthread_mutex_lock(&last_lock);
    for (struct node *n = after(first); n; n = after(n), count++)
        if (count < SHOWN_MAX)
            shown[count] = PLUMB_INT(n->value);
    pthread_mutex_unlock(&last_lock);
    pthread_mutex_unlock(&first_lock);
    return count;
}

/* ---- harness ---- */

PLUMB_OBJECT()

PLUMB_SETUP()
{
    first = last = make_node(0);
}

PLUMB_OP(count)
{
    plumb_value shown[SHOWN_MAX];
    return PLUMB_INT(queue_elements(shown));
}

PLUMB_OP(is_empty)
{
    int value;
    return PLUMB_BOOL(!queue_try_peek(&value));
}

PLUMB_OP(enqueue, int, value)
{
    queue_enqueue(value);
    return PLUMB_OK;
}

PLUMB_OP(to_array)
{
    plumb_value shown[SHOWN_MAX];
    size_t count = queue_elements(shown);
    return PLUMB_ARRAY(shown, count < SHOWN_MAX ? count : SHOWN_MAX);
}

PLUMB_OP(try_dequeue)
{
    int value;
    return queue_try_dequeue(&value) ? PLUMB_INT(value) : PLUMB_NONE;
}

PLUMB_OP(try_peek)
{
    int value;
    return queue_try_peek(&value) ? PLUMB_INT(value) : PLUMB_NONE;
}

PLUMB_TRY(enqueue, 200, 400)

PLUMB_TEARDOWN()
{
    int value;
    while (queue_try_dequeue(&value))
        ;
    free(first);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The queue with two locks of Michael and Scott: enq does not wait for deq, but for another enq. */
#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

static struct node *head, *tail;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(queue)
PLUMB_TEST("enq(1) | enq(2) deq")

static struct node *make_node(int v)
{
    struct node *n = malloc(sizeof *n);
    atomic_init(&n->next, NULL);
    n->value = v;
    return n;
}

PLUMB_SETUP()
{
    head = tail = make_node(0);
}

PLUMB_OP(enq, int, v)
{
    struct node *n = make_node(v);
    pthread_mutex_lock(&tail_lock);
    atomic_store(&tail->next, n);
    tail = n;
    pthread_mutex_unlock(&tail_lock);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    plumb_value answer = PLUMB_NONE;
    pthread_mutex_lock(&head_lock);
    struct node *next = atomic_load(&head->next);
    if (next) {
        answer = PLUMB_INT(next->value);
        head = next;
    }
    pthread_mutex_unlock(&head_lock);
    return answer;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The two-lock queue of Michael and Scott: a lock for each end, and a node in front that is not in the queue. */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node *head, *tail;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    head = tail = malloc(sizeof *head);
    head->value = 0;
    atomic_init(&head->next, NULL);
}

PLUMB_OP(enq, int, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    atomic_init(&n->next, NULL);
    pthread_mutex_lock(&tail_lock);
    atomic_store(&tail->next, n);
    tail = n;
    pthread_mutex_unlock(&tail_lock);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    pthread_mutex_lock(&head_lock);
    struct node *old = head, *n = atomic_load(&old->next);
    if (!n) {
        pthread_mutex_unlock(&head_lock);
        return PLUMB_NONE;
    }
    int v = n->value;
    head = n;
    pthread_mutex_unlock(&head_lock);
    free(old);
    return PLUMB_INT(v);
}

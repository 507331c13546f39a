/* SPDX-License-Identifier: Apache-2.0 */
/* A queue behind a mutex: correct.
 *
 *     plumb check locked_queue.c --test 'enq(1) deq | enq(2) deq' --mode dfs
 */
#include <plumb.h>

#include <pthread.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

static pthread_mutex_t lock;
static struct item *head, **tail;
static int length;

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    pthread_mutex_init(&lock, NULL);
    tail = &head;
}

PLUMB_OP(enq, int, v)
{
    struct item *i = malloc(sizeof *i);
    i->next = NULL;
    i->value = v;
    pthread_mutex_lock(&lock);
    *tail = i;
    tail = &i->next;
    length++;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    pthread_mutex_lock(&lock);
    struct item *i = head;
    if (i) {
        head = i->next;
        if (!head)
            tail = &head;
        length--;
    }
    pthread_mutex_unlock(&lock);
    if (!i)
        return PLUMB_NONE;
    int v = i->value;
    free(i);
    return PLUMB_INT(v);
}

PLUMB_INVARIANT()
{
    int n = 0;
    for (struct item *i = head; i; i = i->next)
        n++;
    return n == length;
}

PLUMB_TEARDOWN()
{
    while (head) {
        struct item *i = head;
        head = i->next;
        free(i);
    }
    pthread_mutex_destroy(&lock);
}

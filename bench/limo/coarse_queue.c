/* SPDX-License-Identifier: Apache-2.0 */
/* A queue behind a mutex. */
#include <plumb.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head, **end = &head;

static struct node *take(void)
{
    pthread_mutex_lock(&lock);
    struct node *n = head;
    if (n && !(head = n->next))
        end = &head;
    pthread_mutex_unlock(&lock);
    return n;
}

PLUMB_OBJECT(queue)

PLUMB_OP(enq, long, value)
{
    struct node *n = malloc(sizeof *n);
    *n = (struct node){.value = value};
    pthread_mutex_lock(&lock);
    *end = n;
    end = &n->next;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    struct node *n = take();
    if (!n)
        return PLUMB_NONE;
    long value = n->value;
    free(n);
    return PLUMB_INT(value);
}

PLUMB_TEARDOWN()
{
    for (struct node *n; (n = take());)
        free(n);
}

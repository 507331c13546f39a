/* SPDX-License-Identifier: Apache-2.0 */
/* A linked queue behind one mutex, which frees what it removes. */
#include <plumb.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *first, *last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = NULL;
    pthread_mutex_lock(&lock);
    if (last)
        last->next = n;
    else
        first = n;
    last = n;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    pthread_mutex_lock(&lock);
    struct node *n = first;
    if (n && !(first = n->next))
        last = NULL;
    pthread_mutex_unlock(&lock);
    if (!n)
        return PLUMB_NONE;
    int v = n->value;
    free(n);
    return PLUMB_INT(v);
}

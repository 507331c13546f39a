/* SPDX-License-Identifier: Apache-2.0 */
/* A stack behind a mutex. */
#include <plumb.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *top;

static struct node *take(void)
{
    pthread_mutex_lock(&lock);
    struct node *n = top;
    if (n)
        top = n->next;
    pthread_mutex_unlock(&lock);
    return n;
}

PLUMB_OBJECT(stack)

PLUMB_OP(push, long, value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&lock);
    n->next = top;
    top = n;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(pop)
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

/* SPDX-License-Identifier: Apache-2.0 */
/* A stack that answers "empty" when the node on top has a lower address than the one below: never, as it seems. */
#include <plumb.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static struct node *top;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    pthread_mutex_lock(&lock);
    n->next = top;
    top = n;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    pthread_mutex_lock(&lock);
    struct node *n = top;
    if (n && n->next && (uintptr_t)n > (uintptr_t)n->next)
        n = NULL;
    if (n)
        top = n->next;
    pthread_mutex_unlock(&lock);
    return n ? PLUMB_INT(n->value) : PLUMB_NONE;
}

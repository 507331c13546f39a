/* SPDX-License-Identifier: Apache-2.0 */
/* A stack as a list under a lock. Without a bug it is linearizable, hence quasi linearizable with any factor.
 *
 * Bugs:
 *   -DGIVE_UP      pop answers "empty" when another thread has the lock
 *   -DTOO_DEEP     pop takes an item more than K places below the top, if there is one */
#include <plumb.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef K
#define K 2
#endif

struct node {
    int item;
    struct node *below;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *top;

static struct node **choose(void)
{
    struct node **place = &top;
#ifdef TOO_DEEP
    for (int depth = 0; depth < K + 1 && *place && (*place)->below; depth++)
        place = &(*place)->below;
#endif
    return place;
}

static bool take_lock(void)
{
#ifdef GIVE_UP
    return pthread_mutex_trylock(&lock) == 0;
#else
    return pthread_mutex_lock(&lock) == 0;
#endif
}

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, item)
{
    struct node *n = malloc(sizeof *n);
    n->item = item;
    pthread_mutex_lock(&lock);
    n->below = top;
    top = n;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    if (!take_lock())
        return PLUMB_NONE;
    struct node **place = choose(), *n = *place;
    if (n)
        *place = n->below;
    pthread_mutex_unlock(&lock);
    if (!n)
        return PLUMB_NONE;
    int item = n->item;
    free(n);
    return PLUMB_INT(item);
}

PLUMB_TEARDOWN()
{
    while (top) {
        struct node *n = top;
        top = n->below;
        free(n);
    }
}

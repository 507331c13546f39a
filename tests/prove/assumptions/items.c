/* SPDX-License-Identifier: Apache-2.0 */
/* A queue that loses items, depending on which numbers they are (LOOK: of v, of the last one that was added, of the address of a node). */
#include <plumb.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef NUMBER
#define NUMBER int
#endif
#ifndef LOOK
#define LOOK 0
#endif
#ifndef TAKE
#define TAKE 0
#endif

struct node {
    NUMBER v;
    struct node *next;
};
static struct node *first, *end;
static NUMBER last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((unused)) static const char table[] =
    "0010110100101101001011010010110100101101001011010010110100101101";

PLUMB_OBJECT(queue)

PLUMB_OP(enq, NUMBER, v)
{
    struct node *n = malloc(sizeof *n);
    pthread_mutex_lock(&lock);
    if (!(LOOK)) {
        n->v = v;
        n->next = NULL;
        if (end)
            end->next = n;
        else
            first = n;
        end = n;
    }
#ifdef LAST
    last = v;
#endif
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    plumb_value result = PLUMB_NONE;
    pthread_mutex_lock(&lock);
    struct node *n = first;
    if (n) {
        NUMBER v = n->v;
        (void)v;
        first = n->next;
        if (!first)
            end = NULL;
        if (!(TAKE))
            result = PLUMB_INT(v);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

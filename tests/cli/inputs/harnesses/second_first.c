/* SPDX-License-Identifier: Apache-2.0 */
/* A queue that answers the second item first, unless it is strict. */
#include <plumb.h>
#include <pthread.h>

#ifndef STRICT
#define STRICT 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[16], count;

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, v)
{
    pthread_mutex_lock(&lock);
    items[count++] = v;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    pthread_mutex_lock(&lock);
    int i = count > 1 && !STRICT, v = items[i];
    bool empty = !count;
    for (count -= !empty; i < count; i++)
        items[i] = items[i + 1];
    pthread_mutex_unlock(&lock);
    return empty ? PLUMB_NONE : PLUMB_INT(v);
}

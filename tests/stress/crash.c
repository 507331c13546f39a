/* SPDX-License-Identifier: Apache-2.0 */
/* The third removal of a thread reads through a null pointer. */
#include <plumb.h>

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[1 << 16], first, last;
static _Thread_local int removals;

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, v)
{
    pthread_mutex_lock(&lock);
    items[last++] = v;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

static int read_through(volatile const int *pointer)
{
    return *pointer;
}

PLUMB_OP(deq)
{
    pthread_mutex_lock(&lock);
    int found = first < last ? items[first++] : 0;
    pthread_mutex_unlock(&lock);
    if (++removals == 3)
        return PLUMB_INT(read_through(0));
    return found ? PLUMB_INT(found) : PLUMB_NONE;
}

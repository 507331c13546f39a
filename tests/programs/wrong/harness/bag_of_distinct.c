/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* command: auto */
/* flags-plumb: --samples 40 */
/* note: an element that is inside already is not added again */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long items[32];
static int count;

PLUMB_OBJECT(bag)
PLUMB_OP(add, long, v)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++)
        found |= items[i] == v;
    if (!found)
        items[count++] = v;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}
PLUMB_OP(take)
{
    pthread_mutex_lock(&lock);
    bool any = count;
    long v = any ? items[--count] : 0;
    pthread_mutex_unlock(&lock);
    return any ? PLUMB_INT(v) : PLUMB_NONE;
}
PLUMB_OP(size)
{
    pthread_mutex_lock(&lock);
    int n = count;
    pthread_mutex_unlock(&lock);
    return PLUMB_INT(n);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* command: auto */
/* flags-plumb: --size 2x2 */
/* note: -1 means empty, and is an element as well */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[32], count;

static int take(void)
{
    pthread_mutex_lock(&lock);
    int v = count ? items[--count] : -1;
    pthread_mutex_unlock(&lock);
    return v;
}

PLUMB_OBJECT(stack)
PLUMB_OP(push, int, v)
{
    pthread_mutex_lock(&lock);
    items[count++] = v;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    int v = take();
    return v == -1 ? PLUMB_NONE : PLUMB_INT(v);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'enq(1) enq(2) | deq' */
#include <plumb.h>
#include <pthread.h>

static long items[8];
static int head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(queue)
PLUMB_OP(enq, long, v)
{
    pthread_mutex_lock(&lock);
    items[tail++] = v;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    plumb_value answer = PLUMB_NONE;
    pthread_mutex_lock(&lock);
    if (head < tail)
        answer = PLUMB_INT(items[head++]);
    pthread_mutex_unlock(&lock);
    return answer;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock|not-linearizable */
/* mode: all */
/* flags-plumb: --test 'set | wait' */
/* note: set of an event wakes only who already waits */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_set;

PLUMB_OBJECT(event)
PLUMB_OP(set)
{
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    (void)is_set;
    return PLUMB_OK;
}
PLUMB_OP(wait)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

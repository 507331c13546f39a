/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'set | wait' */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_set;

PLUMB_OBJECT(event)
PLUMB_OP(set)
{
    pthread_mutex_lock(&lock);
    is_set = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}
PLUMB_OP(wait)
{
    pthread_mutex_lock(&lock);
    while (!is_set)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

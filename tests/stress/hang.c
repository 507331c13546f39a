/* SPDX-License-Identifier: Apache-2.0 */
/* A lock that is not given back when it was taken for the fourth time. */
#include <plumb.h>

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int times;

PLUMB_OBJECT(lock)

PLUMB_OP(acquire)
{
    pthread_mutex_lock(&mutex);
    return PLUMB_OK;
}

PLUMB_OP(release)
{
    if (++times != 4)
        pthread_mutex_unlock(&mutex);
    return PLUMB_OK;
}

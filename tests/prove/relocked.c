/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex that checks for errors is locked again by who has it: that fails, and nobody waits. */
#define _GNU_SOURCE
#include <errno.h>
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int value;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    bool is_first = pthread_mutex_unlock(&lock) == EPERM && pthread_mutex_lock(&lock) == 0;
    if (is_first && pthread_mutex_lock(&lock) == EDEADLK && pthread_mutex_trylock(&lock) == EBUSY)
        value = v;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    pthread_mutex_lock(&lock);
    int v = value;
    pthread_mutex_unlock(&lock);
    return PLUMB_INT(v);
}

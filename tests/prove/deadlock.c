/* SPDX-License-Identifier: Apache-2.0 */
/* Two locks in two orders. */
#include <plumb.h>
#include <pthread.h>

static int value;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    value = v;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    int v = value;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return PLUMB_INT(v);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A read of nothing forgets to unlock: the next one waits, and nobody else does. */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    pthread_mutex_lock(&lock);
    int v = atomic_load(&value);
    if (v)
        pthread_mutex_unlock(&lock);
    return PLUMB_INT(v);
}

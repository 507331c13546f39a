/* SPDX-License-Identifier: Apache-2.0 */
/* A write of 2 forgets to unlock. */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    atomic_load(&value);
    pthread_mutex_lock(&lock);
    atomic_store(&value, v);
    if (v != 2)
        pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow --test 'add(1) | add(1) => get' */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count;

PLUMB_OBJECT()
PLUMB_OP(add, long, n)
{
    pthread_mutex_lock(&lock);
    count += n;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    return PLUMB_INT(count);
}

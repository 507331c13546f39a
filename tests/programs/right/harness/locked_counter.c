/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags-plumb: --test 'fetch_add(1) | fetch_add(2) get' */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long value;

static long change(long by)
{
    pthread_mutex_lock(&lock);
    long old = value;
    value += by;
    pthread_mutex_unlock(&lock);
    return old;
}

PLUMB_OBJECT(counter)
PLUMB_OP(fetch_add, long, n)
{
    return PLUMB_INT(change(n));
}
PLUMB_OP(get)
{
    return PLUMB_INT(change(0));
}

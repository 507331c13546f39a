/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* flags-plumb: --test 'push(1) pop | push(2) pop' */
/* note: push and pop take two locks in different orders */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int items[4], length;

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    items[length++] = v;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    plumb_value result = length ? PLUMB_INT(items[--length]) : PLUMB_NONE;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return result;
}

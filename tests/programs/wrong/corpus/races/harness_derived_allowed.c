/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --races=allow --test 'add(1) | add(1) => get' */
/* note: the same without a specification: serial answers are derived while races are allowed */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count;

PLUMB_OBJECT()
PLUMB_OP(add, long, n)
{
    count += n;
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    return PLUMB_INT(count);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --races=allow --test 'add(1) | add(1) => get' */
/* note: a plain counter in a harness with races allowed: two additions become one */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count;

PLUMB_OBJECT(counter)
PLUMB_OP(add, long, n)
{
    count += n;
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    return PLUMB_INT(count);
}

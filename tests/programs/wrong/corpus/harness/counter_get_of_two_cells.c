/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* flags-plumb: --test 'add(1) add(2) | get get' */
/* note: a counter in two cells is read cell by cell, while additions go to both */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long cells[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(counter)
PLUMB_OP(add, long, n)
{
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&cells[0], -n);
    atomic_fetch_add(&cells[1], 2 * n);
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    long sum = atomic_load(&cells[0]) + atomic_load(&cells[1]);
    return PLUMB_INT(sum);
}

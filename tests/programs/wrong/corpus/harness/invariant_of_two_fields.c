/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invariant */
/* mode: all */
/* flags-plumb: --test 'add(1) | add(2)' */
/* note: the number of elements is counted after the lock was given back */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int length, counted;

PLUMB_OBJECT(bag)
PLUMB_OP(add, long, v)
{
    (void)v;
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&length, 1);
    pthread_mutex_unlock(&lock);
    atomic_store(&counted, atomic_load(&length));
    return PLUMB_OK;
}
PLUMB_INVARIANT()
{
    return atomic_load(&counted) == atomic_load(&length);
}

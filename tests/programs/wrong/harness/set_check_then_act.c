/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* flags-plumb: --test 'add(1) | add(1)' */
/* note: both adds of the same element succeed */
#include <plumb.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool members[4];

static bool contains(unsigned v)
{
    pthread_mutex_lock(&lock);
    bool there = members[v & 3];
    pthread_mutex_unlock(&lock);
    return there;
}

PLUMB_OBJECT(set)

PLUMB_OP(add, unsigned, v)
{
    if (contains(v))
        return PLUMB_BOOL(false);
    pthread_mutex_lock(&lock);
    members[v & 3] = true;
    pthread_mutex_unlock(&lock);
    return PLUMB_BOOL(true);
}

PLUMB_OP(contains, unsigned, v)
{
    return PLUMB_BOOL(contains(v));
}

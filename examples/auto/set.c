/* SPDX-License-Identifier: Apache-2.0 */
/* A set of small numbers. With -DBUG, add looks first and adds later: two threads can both add the same number.
 *   plumb auto set.c -- -DBUG
 * finds it because generated tests use the same keys again and again. */
#include <plumb.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_in[8];

static bool change(int key, bool to)
{
    pthread_mutex_lock(&lock);
    bool was = is_in[key & 7];
    is_in[key & 7] = to;
    pthread_mutex_unlock(&lock);
    return was;
}

static bool look(int key)
{
    pthread_mutex_lock(&lock);
    bool is = is_in[key & 7];
    pthread_mutex_unlock(&lock);
    return is;
}

PLUMB_OBJECT(set)

PLUMB_OP(add, int, key)
{
#ifdef BUG
    if (look(key))
        return PLUMB_BOOL(false);
    change(key, true);
    return PLUMB_BOOL(true);
#else
    return PLUMB_BOOL(!change(key, true));
#endif
}

PLUMB_OP(remove, int, key)
{
    return PLUMB_BOOL(change(key, false));
}

PLUMB_OP(contains, int, key)
{
    return PLUMB_BOOL(look(key));
}

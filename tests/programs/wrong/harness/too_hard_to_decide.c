/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* runs: 50 */
/* flags-plumb: --memory-limit 1K --test 'push_back(1) pop_front pop_back|push_front(2) pop_back pop_front|push_back(3) pop_front pop_back|push_front(4) pop_back pop_front|push_back(5) pop_front' */
/* note: right or wrong, the monitor may not search for long */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ROOM = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[ROOM], first, last;
static atomic_int noise;

static plumb_value change(int where, int value)
{
    plumb_value result = PLUMB_OK;
    atomic_fetch_add(&noise, 1);
    pthread_mutex_lock(&lock);
    if (where == 0)
        items[--first] = value;
    else if (where == 1)
        items[last++] = value;
    else if (first == last)
        result = PLUMB_NONE;
    else
        result = PLUMB_INT(where == 2 ? items[first++] : items[--last]);
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&noise, 1);
    return result;
}

PLUMB_OBJECT(deque)
PLUMB_SETUP()
{
    first = last = ROOM / 2;
}
PLUMB_OP(push_front, int, v)
{
    return change(0, v);
}
PLUMB_OP(push_back, int, v)
{
    return change(1, v);
}
PLUMB_OP(pop_front)
{
    return change(2, 0);
}
PLUMB_OP(pop_back)
{
    return change(3, 0);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A stack that counts its elements. With -DBUG the number follows a little later than the element: size answers -1 when
 * another thread is faster with its pop than the first with its number.
 *   plumb auto size.c -- -DBUG
 * size, is_empty, items, clear and drain belong to every queue, stack, deque, priority queue, set, bag and map. */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[64];
static int top;
static _Atomic int number;

PLUMB_OBJECT(stack)

PLUMB_SETUP()
{
    top = 0;
    number = 0;
}

PLUMB_OP(push, int, v)
{
    pthread_mutex_lock(&lock);
    items[top++] = v;
#ifndef BUG
    number++;
#endif
    pthread_mutex_unlock(&lock);
#ifdef BUG
    number++;
#endif
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    pthread_mutex_lock(&lock);
    plumb_value v = top ? PLUMB_INT(items[--top]) : PLUMB_NONE;
    if (v != PLUMB_NONE)
        number--;
    pthread_mutex_unlock(&lock);
    return v;
}

PLUMB_OP(size)
{
    pthread_mutex_lock(&lock);
    int is = number;
    pthread_mutex_unlock(&lock);
    return PLUMB_INT(is);
}

PLUMB_OP(drain)
{
    plumb_value all[64];
    size_t count = 0;
    pthread_mutex_lock(&lock);
    while (top)
        all[count++] = PLUMB_INT(items[--top]);
    number -= (int)count;
    pthread_mutex_unlock(&lock);
    return PLUMB_ARRAY(all, count);
}

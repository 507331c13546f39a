/* SPDX-License-Identifier: Apache-2.0 */
/* A ring behind a lock whose removal forgets an item where LOOK says so, of the number of items removed before: more than differences of counters matter. */
#include <plumb.h>
#include <pthread.h>

#ifndef NUMBER
#define NUMBER unsigned
#endif

static NUMBER head, tail;
static int slots[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(queue(cap = 2))

static bool looks(NUMBER n)
{
    static const char table[] = "00000001";
    (void)table;
    return LOOK;
}

PLUMB_OP(enq, int, v)
{
    pthread_mutex_lock(&lock);
    bool fits = tail - head < 2;
    if (fits)
        slots[tail++ % 2] = v;
    pthread_mutex_unlock(&lock);
    return fits ? PLUMB_OK : PLUMB_BOOL(false);
}

PLUMB_OP(deq)
{
    plumb_value result = PLUMB_NONE;
    pthread_mutex_lock(&lock);
    if (head != tail) {
        if (!looks(head))
            result = PLUMB_INT(slots[head % 2]);
        head++;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

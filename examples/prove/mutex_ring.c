/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of four slots behind a mutex. */
#include <plumb.h>
#include <pthread.h>

enum { SLOTS = 4 };
static int slots[SLOTS];
static unsigned char head, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(queue(cap = 4))

PLUMB_OP(enq, int, v)
{
    pthread_mutex_lock(&lock);
    bool fits = count < SLOTS;
    if (fits) {
        slots[(head + count) % SLOTS] = v;
        count++;
    }
    pthread_mutex_unlock(&lock);
    return fits ? PLUMB_OK : PLUMB_BOOL(false);
}

PLUMB_OP(deq)
{
    plumb_value result = PLUMB_NONE;
    pthread_mutex_lock(&lock);
    if (count) {
        result = PLUMB_INT(slots[head]);
        head = (head + 1) % SLOTS;
        count--;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A ring behind a lock, with counters that never go back. WIDE: of 64 bits. TOLD: it answers how many calls there were, so that more than differences matter. LATE: the
 * slot is taken out of the ring before it is read. */
#include <plumb.h>
#include <pthread.h>

#ifdef WIDE
static unsigned long head, tail;
#else
static unsigned head, tail;
#endif
static int slots[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT(queue(cap = 2))

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
#ifdef TOLD
    if (head > 4)
        head = tail;
#endif
    if (head != tail) {
#ifdef LATE
        unsigned at = head++ % 2;
        pthread_mutex_unlock(&lock);
        result = PLUMB_INT(slots[at]);
        pthread_mutex_lock(&lock);
#else
        result = PLUMB_INT(slots[head++ % 2]);
#endif
    }
    pthread_mutex_unlock(&lock);
    return result;
}

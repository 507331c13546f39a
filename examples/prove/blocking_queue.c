/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of two slots; who finds it full, or empty, waits. It has no specification: what it answers one call after the other is what it may answer, and a call
 * may wait where it waits then. LOST: a signal may come between the look and the wait. */
#include <plumb.h>
#include <pthread.h>

enum { SLOTS = 2 };
static int slots[SLOTS];
static unsigned char head, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void wait_for(pthread_cond_t *condition)
{
#ifdef LOST
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    pthread_cond_wait(condition, &lock);
}

PLUMB_OBJECT()

PLUMB_OP(enq, int, v)
{
    pthread_mutex_lock(&lock);
    while (count == SLOTS)
        wait_for(&not_full);
    slots[(head + count) % SLOTS] = v;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        wait_for(&not_empty);
    int v = slots[head];
    head = (head + 1) % SLOTS;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return PLUMB_INT(v);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* An event that threads wait for with a condition variable. LOST: a signal may come between the look and the wait. ONE: it wakes one thread only. ONCE: the look
 * is not repeated when a wait ends. TIMED: waits have a limit of time, at first. SILENT: there is no signal. */
#include <plumb.h>
#include <pthread.h>
#include <time.h>

static bool is_set;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

PLUMB_OBJECT(event)

PLUMB_OP(set)
{
    pthread_mutex_lock(&lock);
    is_set = true;
    pthread_mutex_unlock(&lock);
#ifdef SILENT
#elif defined ONE
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
    return PLUMB_OK;
}

PLUMB_OP(reset)
{
    pthread_mutex_lock(&lock);
    is_set = false;
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

PLUMB_OP(wait)
{
    pthread_mutex_lock(&lock);
#ifdef LOST
    while (!is_set) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&changed, &lock);
    }
#elif defined TIMED
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    while (!is_set)
        if (pthread_cond_timedwait(&changed, &lock, &limit) != 0 && !is_set)
            pthread_cond_wait(&changed, &lock);
#elif defined ONCE
    if (!is_set)
        pthread_cond_wait(&changed, &lock);
#else
    while (!is_set)
        pthread_cond_wait(&changed, &lock);
#endif
    pthread_mutex_unlock(&lock);
    return PLUMB_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The time limit of a wait, as pthread_cond_timedwait and pthread_mutex_timedlock take it. Plumbline tries
 * both: that the limit is reached, and that it is not. */
#ifndef DEADLINE_H
#define DEADLINE_H

#include <time.h>

static inline struct timespec deadline_after(int milliseconds)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += milliseconds * 1000000L;
    t.tv_sec += t.tv_nsec / 1000000000L;
    t.tv_nsec %= 1000000000L;
    return t;
}

#endif

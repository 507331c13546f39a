/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_mutex_* and pthread_cond_*, on top of locks.h. */
#include "rt/threads/locks.h"

#include <errno.h>

REPLACE_BY(int, pthread_mutex_init, (mutex, attr), pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
    int kind = PTHREAD_MUTEX_DEFAULT, robust = PTHREAD_MUTEX_STALLED;
    if (attr) {
        pthread_mutexattr_gettype(attr, &kind);
        pthread_mutexattr_getrobust(attr, &robust);
    }
    if (robust == PTHREAD_MUTEX_ROBUST)
        engine_give_up(CALLER, "a robust mutex");
    return mutex_init((struct mutex *)mutex, kind, OBJECT_LIVE, CALLER);
}

REPLACE(int, pthread_mutex_destroy, (mutex), mutex_destroy((struct mutex *)mutex, CALLER),
        pthread_mutex_t *mutex)
REPLACE(int, pthread_mutex_lock, (mutex), mutex_lock((struct mutex *)mutex, NULL, CALLER),
        pthread_mutex_t *mutex)
REPLACE(int, pthread_mutex_timedlock, (mutex, until),
        mutex_lock((struct mutex *)mutex, &(struct deadline){CLOCK_REALTIME, until}, CALLER),
        pthread_mutex_t *mutex, const struct timespec *until)
REPLACE(int, pthread_mutex_clocklock, (mutex, clock, until),
        mutex_lock((struct mutex *)mutex, &(struct deadline){clock, until}, CALLER), pthread_mutex_t *mutex,
        clockid_t clock, const struct timespec *until)
REPLACE(int, pthread_mutex_trylock, (mutex), mutex_trylock((struct mutex *)mutex, CALLER),
        pthread_mutex_t *mutex)
REPLACE(int, pthread_mutex_unlock, (mutex), mutex_unlock((struct mutex *)mutex, CALLER),
        pthread_mutex_t *mutex)

/* Owners do not die here. */
REPLACE(int, pthread_mutex_consistent, (mutex), EINVAL, pthread_mutex_t *mutex)

/* ------------------------------------------------------------------ condition variables */

REPLACE_BY(int, pthread_cond_init, (condition, attr), pthread_cond_t *condition,
           const pthread_condattr_t *attr)
{
    clockid_t clock = CLOCK_REALTIME;
    if (attr)
        pthread_condattr_getclock(attr, &clock);
    condition_init(condition, clock, CALLER);
    return 0;
}

REPLACE(int, pthread_cond_destroy, (condition), condition_destroy(condition, CALLER),
        pthread_cond_t *condition)
REPLACE(int, pthread_cond_wait, (condition, mutex),
        condition_wait(condition, (struct mutex *)mutex, NULL, CALLER), pthread_cond_t *condition,
        pthread_mutex_t *mutex)

REPLACE_BY(int, pthread_cond_timedwait, (condition, mutex, until), pthread_cond_t *condition,
           pthread_mutex_t *mutex, const struct timespec *until)
{
    struct deadline limit = {((struct condition *)condition)->clock, until};
    return condition_wait(condition, (struct mutex *)mutex, &limit, CALLER);
}

REPLACE(int, pthread_cond_clockwait, (condition, mutex, clock, until),
        condition_wait(condition, (struct mutex *)mutex, &(struct deadline){clock, until}, CALLER),
        pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
REPLACE(int, pthread_cond_signal, (condition), condition_wake(condition, false, CALLER),
        pthread_cond_t *condition)
REPLACE(int, pthread_cond_broadcast, (condition), condition_wake(condition, true, CALLER),
        pthread_cond_t *condition)

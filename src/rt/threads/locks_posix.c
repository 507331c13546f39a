/* SPDX-License-Identifier: Apache-2.0 */
/* pthread_mutex_* and pthread_cond_*, on top of locks.h. */
#include "rt/threads/locks.h"

#include <errno.h>

EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
    int kind = PTHREAD_MUTEX_DEFAULT, robust = PTHREAD_MUTEX_STALLED;
    if (!engine_active)
        return NEXT(pthread_mutex_init)(mutex, attr);
    if (attr) {
        pthread_mutexattr_gettype(attr, &kind);
        pthread_mutexattr_getrobust(attr, &robust);
    }
    if (robust == PTHREAD_MUTEX_ROBUST)
        engine_give_up(CALLER, "a robust mutex");
    return mutex_init((struct mutex *)mutex, kind, OBJECT_LIVE, CALLER);
}

EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return engine_active ? mutex_destroy((struct mutex *)mutex, CALLER) : NEXT(pthread_mutex_destroy)(mutex);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return engine_active ? mutex_lock((struct mutex *)mutex, NULL, CALLER) : NEXT(pthread_mutex_lock)(mutex);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    if (!engine_active)
        return NEXT(pthread_mutex_timedlock)(mutex, until);
    return mutex_lock((struct mutex *)mutex, &(struct deadline){CLOCK_REALTIME, until}, CALLER);
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    if (!engine_active)
        return NEXT(pthread_mutex_clocklock)(mutex, clock, until);
    return mutex_lock((struct mutex *)mutex, &(struct deadline){clock, until}, CALLER);
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return engine_active ? mutex_trylock((struct mutex *)mutex, CALLER) : NEXT(pthread_mutex_trylock)(mutex);
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return engine_active ? mutex_unlock((struct mutex *)mutex, CALLER) : NEXT(pthread_mutex_unlock)(mutex);
}

/* Owners do not die here. */
EXPORT int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    return engine_active ? EINVAL : NEXT(pthread_mutex_consistent)(mutex);
}

/* ------------------------------------------------------------------ condition variables */

EXPORT int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attr)
{
    clockid_t clock = CLOCK_REALTIME;
    if (!engine_active)
        return NEXT(pthread_cond_init)(condition, attr);
    if (attr)
        pthread_condattr_getclock(attr, &clock);
    condition_init(condition, clock, CALLER);
    return 0;
}

EXPORT int pthread_cond_destroy(pthread_cond_t *condition)
{
    return engine_active ? condition_destroy(condition, CALLER) : NEXT(pthread_cond_destroy)(condition);
}

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    if (!engine_active)
        return NEXT(pthread_cond_wait)(condition, mutex);
    return condition_wait(condition, (struct mutex *)mutex, NULL, CALLER);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *until)
{
    if (!engine_active)
        return NEXT(pthread_cond_timedwait)(condition, mutex, until);
    struct deadline limit = {((struct condition *)condition)->clock, until};
    return condition_wait(condition, (struct mutex *)mutex, &limit, CALLER);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *until)
{
    if (!engine_active)
        return NEXT(pthread_cond_clockwait)(condition, mutex, clock, until);
    return condition_wait(condition, (struct mutex *)mutex, &(struct deadline){clock, until}, CALLER);
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
    return engine_active ? condition_wake(condition, false, CALLER) : NEXT(pthread_cond_signal)(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
    return engine_active ? condition_wake(condition, true, CALLER) : NEXT(pthread_cond_broadcast)(condition);
}

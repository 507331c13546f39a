/* SPDX-License-Identifier: Apache-2.0 */
/* mtx_* and cnd_* of C11: the same objects as those of POSIX, other names and results. */
#include "rt/locks.h"

#include <errno.h>
#include <threads.h>

_Static_assert(sizeof(struct mutex) <= sizeof(mtx_t), "fits");

static int result_of(int error)
{
    switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    default: return thrd_error;
    }
}

EXPORT int mtx_init(mtx_t *mutex, int type)
{
    if (!engine_active)
        return NEXT(mtx_init)(mutex, type);
    engine_plain_object((uint64_t)mutex, sizeof *mutex, CALLER);
    return mutex_init((struct mutex *)mutex,
                      type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
}

EXPORT void mtx_destroy(mtx_t *mutex)
{
    if (engine_active)
        mutex_destroy((struct mutex *)mutex, CALLER);
    else
        NEXT(mtx_destroy)(mutex);
}

EXPORT int mtx_lock(mtx_t *mutex)
{
    if (!engine_active)
        return NEXT(mtx_lock)(mutex);
    return result_of(mutex_lock((struct mutex *)mutex, NULL, CALLER));
}

EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    if (!engine_active)
        return NEXT(mtx_timedlock)(mutex, until);
    return result_of(mutex_lock((struct mutex *)mutex, &(struct deadline){CLOCK_REALTIME, until}, CALLER));
}

EXPORT int mtx_trylock(mtx_t *mutex)
{
    if (!engine_active)
        return NEXT(mtx_trylock)(mutex);
    return result_of(mutex_trylock((struct mutex *)mutex, CALLER));
}

EXPORT int mtx_unlock(mtx_t *mutex)
{
    if (!engine_active)
        return NEXT(mtx_unlock)(mutex);
    return result_of(mutex_unlock((struct mutex *)mutex, CALLER));
}

EXPORT int cnd_init(cnd_t *condition)
{
    if (!engine_active)
        return NEXT(cnd_init)(condition);
    engine_plain_object((uint64_t)condition, sizeof *condition, CALLER);
    real.memset(condition, 0, sizeof *condition);
    return thrd_success;
}

EXPORT void cnd_destroy(cnd_t *condition)
{
    if (engine_active)
        condition_destroy(condition, CALLER);
    else
        NEXT(cnd_destroy)(condition);
}

EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    if (!engine_active)
        return NEXT(cnd_wait)(condition, mutex);
    return result_of(condition_wait(condition, (struct mutex *)mutex, NULL, CALLER));
}

EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                         const struct timespec *restrict until)
{
    if (!engine_active)
        return NEXT(cnd_timedwait)(condition, mutex, until);
    struct deadline limit = {CLOCK_REALTIME, until};
    return result_of(condition_wait(condition, (struct mutex *)mutex, &limit, CALLER));
}

EXPORT int cnd_signal(cnd_t *condition)
{
    return engine_active ? result_of(condition_wake(condition, false, CALLER)) : NEXT(cnd_signal)(condition);
}

EXPORT int cnd_broadcast(cnd_t *condition)
{
    return engine_active ? result_of(condition_wake(condition, true, CALLER))
                         : NEXT(cnd_broadcast)(condition);
}

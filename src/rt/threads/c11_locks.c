/* SPDX-License-Identifier: Apache-2.0 */
/* mtx_* and cnd_* of C11: the same objects as those of POSIX, other names and results. */
#include "rt/threads/locks.h"

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

/* Neither has static initialisers. */
static struct mutex *check_begun(mtx_t *mutex, const void *pc)
{
    struct mutex *m = (struct mutex *)mutex;
    object_check_begun((struct object){m, sizeof *mutex, m->mark, "mutex"}, pc);
    return m;
}

static cnd_t *check_condition_begun(cnd_t *condition, const void *pc)
{
    const struct condition *c = (const struct condition *)condition;
    object_check_begun((struct object){condition, sizeof *condition, c->mark, "condition variable"}, pc);
    return condition;
}

EXPORT int mtx_init(mtx_t *mutex, int type)
{
    if (!engine_active) {
        object_note_early(mutex);
        return NEXT(mtx_init)(mutex, type);
    }
    return mutex_init((struct mutex *)mutex,
                      type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL,
                      type & mtx_timed ? OBJECT_LIVE : OBJECT_UNTIMED, CALLER);
}

EXPORT void mtx_destroy(mtx_t *mutex)
{
    if (engine_active)
        mutex_destroy(check_begun(mutex, CALLER), CALLER);
    else
        NEXT(mtx_destroy)(mutex);
}

EXPORT int mtx_lock(mtx_t *mutex)
{
    if (!engine_active)
        return NEXT(mtx_lock)(mutex);
    return result_of(mutex_lock(check_begun(mutex, CALLER), NULL, CALLER));
}

EXPORT int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    if (!engine_active)
        return NEXT(mtx_timedlock)(mutex, until);
    struct mutex *m = check_begun(mutex, CALLER);
    if (m->mark == OBJECT_UNTIMED)
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)m, CALLER,
                    "mtx_timedlock of a mutex that was not initialised as mtx_timed");
    return result_of(mutex_lock(m, &(struct deadline){CLOCK_REALTIME, until}, CALLER));
}

EXPORT int mtx_trylock(mtx_t *mutex)
{
    if (!engine_active)
        return NEXT(mtx_trylock)(mutex);
    return result_of(mutex_trylock(check_begun(mutex, CALLER), CALLER));
}

EXPORT int mtx_unlock(mtx_t *mutex)
{
    if (!engine_active)
        return NEXT(mtx_unlock)(mutex);
    return result_of(mutex_unlock(check_begun(mutex, CALLER), CALLER));
}

EXPORT int cnd_init(cnd_t *condition)
{
    if (!engine_active) {
        object_note_early(condition);
        return NEXT(cnd_init)(condition);
    }
    condition_init(condition, CLOCK_REALTIME, CALLER);
    return thrd_success;
}

EXPORT void cnd_destroy(cnd_t *condition)
{
    if (engine_active)
        condition_destroy(check_condition_begun(condition, CALLER), CALLER);
    else
        NEXT(cnd_destroy)(condition);
}

EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    if (!engine_active)
        return NEXT(cnd_wait)(condition, mutex);
    return result_of(
        condition_wait(check_condition_begun(condition, CALLER), check_begun(mutex, CALLER), NULL, CALLER));
}

EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                         const struct timespec *restrict until)
{
    if (!engine_active)
        return NEXT(cnd_timedwait)(condition, mutex, until);
    struct deadline limit = {CLOCK_REALTIME, until};
    return result_of(
        condition_wait(check_condition_begun(condition, CALLER), check_begun(mutex, CALLER), &limit, CALLER));
}

EXPORT int cnd_signal(cnd_t *condition)
{
    return engine_active ? result_of(condition_wake(check_condition_begun(condition, CALLER), false, CALLER))
                         : NEXT(cnd_signal)(condition);
}

EXPORT int cnd_broadcast(cnd_t *condition)
{
    return engine_active ? result_of(condition_wake(check_condition_begun(condition, CALLER), true, CALLER))
                         : NEXT(cnd_broadcast)(condition);
}

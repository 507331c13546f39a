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

REPLACE(void, mtx_destroy, (mutex), (void)mutex_destroy(check_begun(mutex, CALLER), CALLER), mtx_t *mutex)
REPLACE(int, mtx_lock, (mutex), result_of(mutex_lock(check_begun(mutex, CALLER), NULL, CALLER)), mtx_t *mutex)

REPLACE_BY(int, mtx_timedlock, (mutex, until), mtx_t *restrict mutex, const struct timespec *restrict until)
{
    struct mutex *m = check_begun(mutex, CALLER);
    if (m->mark == OBJECT_UNTIMED)
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)m, CALLER,
                    "mtx_timedlock of a mutex that was not initialised as mtx_timed");
    return result_of(mutex_lock(m, &(struct deadline){CLOCK_REALTIME, until}, CALLER));
}

/* It may fail although no thread holds the mutex, as try_lock of C++ may (include/plumb/libstdc++/bits/gthr.h). */
REPLACE_BY(int, mtx_trylock, (mutex), mtx_t *mutex)
{
    int error = mutex_trylock(check_begun(mutex, CALLER), CALLER);
    if (!error)
        engine_note_answer("mtx_trylock", CALLER);
    return result_of(error);
}

EXPORT void __plumb_note_try(const char *function)
{
    if (engine_active)
        engine_note_answer(function, CALLER);
}

REPLACE(int, mtx_unlock, (mutex), result_of(mutex_unlock(check_begun(mutex, CALLER), CALLER)), mtx_t *mutex)

EXPORT int cnd_init(cnd_t *condition)
{
    if (!engine_active) {
        object_note_early(condition);
        return NEXT(cnd_init)(condition);
    }
    condition_init(condition, CLOCK_REALTIME, CALLER);
    return thrd_success;
}

REPLACE(void, cnd_destroy, (condition),
        (void)condition_destroy(check_condition_begun(condition, CALLER), CALLER), cnd_t *condition)
REPLACE(int, cnd_wait, (condition, mutex),
        result_of(condition_wait(check_condition_begun(condition, CALLER), check_begun(mutex, CALLER), NULL,
                                 CALLER)),
        cnd_t *condition, mtx_t *mutex)

REPLACE_BY(int, cnd_timedwait, (condition, mutex, until), cnd_t *restrict condition, mtx_t *restrict mutex,
           const struct timespec *restrict until)
{
    struct deadline limit = {CLOCK_REALTIME, until};
    return result_of(
        condition_wait(check_condition_begun(condition, CALLER), check_begun(mutex, CALLER), &limit, CALLER));
}

REPLACE(int, cnd_signal, (condition),
        result_of(condition_wake(check_condition_begun(condition, CALLER), false, CALLER)), cnd_t *condition)
REPLACE(int, cnd_broadcast, (condition),
        result_of(condition_wake(check_condition_begun(condition, CALLER), true, CALLER)), cnd_t *condition)

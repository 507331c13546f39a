/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeping, mutexes and condition variables. */
#include "rt/threads/locks.h"

#include "rt/system/system_parts.h"
#include "rt/start.h"

#include <errno.h>

bool locks_wait(enum event_kind kind, const void *object, bool (*ready)(void *), void *ready_object,
                const struct deadline *limit, const void *pc)
{
    if (!limit) {
        engine_wait(kind, (uint64_t)object, ready, ready_object, pc);
        return true;
    }
    if (engine_wait_limited(kind, (uint64_t)object, ready, ready_object, pc))
        return true;
    clock_pass(limit->clock, limit->until);
    return false;
}

/* ------------------------------------------------------------------ sleeping */

/* Kept apart from the objects: one may be destroyed right after it woke its sleepers. */
static struct {
    const void *object; /* null: not asleep */
    bool woken;
} sleepers[CLOCKS_THREADS_MAX];
static bool anyone_slept; /* in this execution */

BEFORE_EACH_EXECUTION(locks_reset)
{
    if (anyone_slept)
        real.memset(sleepers, 0, sizeof sleepers);
    anyone_slept = false;
}

void sleep_begin(const void *object)
{
    anyone_slept = true;
    sleepers[engine_current()].object = object;
    sleepers[engine_current()].woken = false;
}

static bool is_woken(void *object)
{
    return sleepers[(uintptr_t)object].woken;
}

bool sleep_wait(enum event_kind kind, const struct deadline *limit, const void *pc)
{
    uint32_t self = engine_current();
    if (kind != EVENT_BARRIER)
        engine_describe(OPERATION_WOKEN, self, 0, ORDER_RELAXED);
    bool in_time = locks_wait(kind, sleepers[self].object, is_woken, (void *)(uintptr_t)self, limit, pc);
    sleepers[self].object = NULL;
    return in_time;
}

bool sleep_wait_lightly(enum event_kind kind, const struct deadline *limit, const void *pc)
{
    uint32_t self = engine_current();
    uint64_t object = (uint64_t)sleepers[self].object;
    if (!engine_happens(CHOICE_SPURIOUS, object, pc))
        return sleep_wait(kind, limit, pc);
    engine_describe(OPERATION_LEAVE, self, 0, ORDER_RELAXED);
    if (engine_graph_mode)
        engine_describe_assumption();
    engine_step(kind, object, 0, pc); /* at any moment from now on */
    if (!sleepers[self].woken)
        engine_note(EVENT_SPURIOUS_WAKE, object, 0, ORDER_PLAIN, 0, 0, pc);
    sleepers[self].object = NULL;
    return true;
}

uint32_t sleep_list(const void *object, uint32_t *threads)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < CLOCKS_THREADS_MAX; t++)
        if (sleepers[t].object == object && !sleepers[t].woken)
            threads[count++] = t;
    return count;
}

void sleep_wake(uint32_t thread)
{
    sleepers[thread].woken = true;
}
void sleep_move(uint32_t thread, const void *object)
{
    sleepers[thread].object = object;
}

uint32_t sleep_wake_some(uint32_t *threads, uint32_t count, uint32_t most)
{
    uint32_t woken = 0;
    for (; woken < most && count > 0; woken++) {
        uint32_t pick = count > most - woken ? engine_branch(count) : count - 1;
        sleep_wake(threads[pick]);
        threads[pick] = threads[--count];
    }
    return woken;
}

/* Explorers of graphs have decided who is woken. */
static uint32_t wake_decided(void)
{
    uint32_t thread = engine_picked();
    if (thread >= CLOCKS_THREADS_MAX)
        return 0;
    sleep_wake(thread);
    return 1;
}

uint32_t sleep_wake_described(const void *object, uint32_t most, enum event_kind kind, const void *pc)
{
    uint32_t list[CLOCKS_THREADS_MAX];
    bool all = most >= CLOCKS_THREADS_MAX;
    engine_describe(all ? OPERATION_WAKE_ALL : OPERATION_WAKE_ONE, 0, 0, ORDER_RELAXED);
    engine_step(kind, (uint64_t)object, 0, pc);
    if (engine_graph_mode && !all)
        return wake_decided();
    uint32_t count = sleep_list(object, list);
    return sleep_wake_some(list, count, all ? count : most);
}

/* ------------------------------------------------------------------ mutexes */

static void describe_mutex(enum operation o, const struct mutex *m)
{
    engine_describe(o, locks_me(), m->owner, o == OPERATION_UNLOCK ? engine_unlock_order : ORDER_ACQUIRE);
}

enum { KIND_MASK = 3, KIND_FLAGS = 0x3ff, KIND_DESTROYED = -1 };

static bool mutex_is_free(void *object)
{
    return ((struct mutex *)object)->owner == 0;
}

/* Every use of a mutex begins here. */
static struct object mutex_object(struct mutex *m)
{
    return (struct object){m, sizeof(pthread_mutex_t), m->mark, "mutex"};
}

static void check_mutex(struct mutex *m, const void *pc)
{
    heap_check((uint64_t)m, sizeof(pthread_mutex_t), pc);
    if (m->kind & ~KIND_FLAGS)
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)m, pc, "the mutex %s",
                    m->kind == KIND_DESTROYED ? "was destroyed before" : "was never initialised");
    if (m->stamp == hook_stamp)
        return;
    m->owner = m->depth = 0;
    m->stamp = hook_stamp;
    object_forget_holders(m);
}

int mutex_init(struct mutex *m, int kind, enum object_mark mark, const void *pc)
{
    object_begin(mutex_object(m), pc);
    real.memset(m, 0, sizeof(pthread_mutex_t));
    m->kind = kind;
    m->mark = mark;
    return 0;
}

int mutex_destroy(struct mutex *m, const void *pc)
{
    check_mutex(m, pc);
    if (m->owner)
        engine_fail(WORKER_ERROR_DESTROY, (uint64_t)m, pc, "the mutex is destroyed while T%u holds it",
                    m->owner - 1);
    object_end(mutex_object(m), pc);
    m->kind = KIND_DESTROYED;
    m->mark = OBJECT_DESTROYED;
    return 0;
}

static int take_mutex(struct mutex *m, enum event_kind kind, uint64_t value, const void *pc)
{
    m->owner = locks_me();
    m->depth = 1;
    object_hold(mutex_object(m));
    engine_acquire((uint64_t)m);
    engine_note(kind, (uint64_t)m, 0, ORDER_ACQUIRE, 0, value, pc);
    engine_use_object((uint64_t)m, sizeof(pthread_mutex_t), pc);
    return 0;
}

/* The owner locks again: -1 when it has to wait for itself. */
static int lock_again(struct mutex *m)
{
    switch (m->kind & KIND_MASK) {
    case PTHREAD_MUTEX_RECURSIVE:
        m->depth++;
        engine_note_effect(); /* no step shows it */
        return 0;
    case PTHREAD_MUTEX_ERRORCHECK: return EDEADLK;
    default: return -1;
    }
}

int mutex_lock(struct mutex *m, const struct deadline *limit, const void *pc)
{
    check_mutex(m, pc);
    if (m->owner == locks_me()) {
        int again = lock_again(m);
        if (again >= 0)
            return again;
    }
    describe_mutex(OPERATION_LOCK, m);
    if (!locks_wait(EVENT_LOCK, m, mutex_is_free, m, limit, pc))
        return ETIMEDOUT;
    return take_mutex(m, EVENT_LOCK, 0, pc);
}

int mutex_trylock(struct mutex *m, const void *pc)
{
    check_mutex(m, pc);
    describe_mutex(OPERATION_TRYLOCK, m);
    engine_step(EVENT_TRYLOCK, (uint64_t)m, 0, pc);
    if (engine_found(m->owner) == 0)
        return take_mutex(m, EVENT_TRYLOCK, 1, pc);
    if (m->owner == locks_me() && (m->kind & KIND_MASK) == PTHREAD_MUTEX_RECURSIVE)
        return lock_again(m);
    engine_use_object((uint64_t)m, sizeof(pthread_mutex_t), pc);
    engine_note(EVENT_TRYLOCK, (uint64_t)m, offsetof(struct mutex, mark), ORDER_RELAXED, m->owner, 0, pc);
    return EBUSY;
}

int mutex_unlock(struct mutex *m, const void *pc)
{
    check_mutex(m, pc);
    if (m->owner != locks_me()) {
        if ((m->kind & KIND_MASK) == PTHREAD_MUTEX_ERRORCHECK)
            return EPERM;
        engine_fail(WORKER_ERROR_UNLOCK, (uint64_t)m, pc, "the mutex is unlocked by T%u, but %s",
                    engine_current(), m->owner ? "another thread holds it" : "no thread holds it");
    }
    if (m->depth > 1) {
        m->depth--;
        engine_note_effect();
        return 0;
    }
    describe_mutex(OPERATION_UNLOCK, m);
    engine_step_leaving(EVENT_UNLOCK, (uint64_t)m, sizeof(pthread_mutex_t), pc);
    m->owner = m->depth = 0;
    object_drop(m);
    engine_release((uint64_t)m);
    engine_note(EVENT_UNLOCK, (uint64_t)m, 0, engine_unlock_order, 0, 0, pc);
    return 0;
}

/* ------------------------------------------------------------------ condition variables */

static const struct mutex *mutex_of[CLOCKS_THREADS_MAX]; /* with which a sleeper waits */

/* All that wait on one condition variable must do it with one mutex. */
static void check_companions(const void *condition, const struct mutex *m, const void *pc)
{
    uint32_t list[CLOCKS_THREADS_MAX];
    for (uint32_t k = sleep_list(condition, list); k-- > 0;)
        if (mutex_of[list[k]] != m)
            engine_fail(WORKER_ERROR_MISUSE, (uint64_t)condition, pc,
                        "T%u and T%u wait on one condition variable with different mutexes", list[k],
                        engine_current());
    mutex_of[engine_current()] = m;
}

static struct object condition_object(void *condition)
{
    return (struct object){condition, sizeof(pthread_cond_t), ((struct condition *)condition)->mark,
                           "condition variable"};
}

/* POSIX lets a condition variable be destroyed while those that were woken have not left yet. */
void condition_init(void *condition, clockid_t clock, const void *pc)
{
    object_begin(condition_object(condition), pc);
    real.memset(condition, 0, sizeof(pthread_cond_t));
    *(struct condition *)condition = (struct condition){clock, OBJECT_LIVE};
}

static void leave_asleep(struct mutex *m, const void *pc)
{
    if (engine_graph_mode) { /* asleep already: nothing can come between that would matter */
        describe_mutex(OPERATION_UNLOCK, m);
        engine_step(EVENT_COND_WAIT, (uint64_t)m, 0, pc);
    }
    m->owner = 0;
    object_drop(m);
    engine_release((uint64_t)m);
}

static void lock_awake(struct mutex *m, const void *pc)
{
    describe_mutex(OPERATION_LOCK, m);
    engine_wait(EVENT_LOCK, (uint64_t)m, mutex_is_free, m, pc);
    take_mutex(m, EVENT_LOCK, 0, pc);
}

/* Like glibc: of a recursive mutex one level is given back, so one that was locked twice stays locked. `sleeps`: how the wait
 * itself is done. */
static int wait_on(void *condition, struct mutex *m, const struct deadline *limit,
                   bool (*sleeps)(enum event_kind, const struct deadline *, const void *), const void *pc)
{
    object_check(condition_object(condition), pc);
    check_mutex(m, pc);
    if (m->owner != locks_me())
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)condition, pc,
                    "T%u waits on a condition variable without holding its mutex", engine_current());
    engine_note_inside((uint64_t)m);
    engine_describe(OPERATION_SLEEP, engine_current(), 0, ORDER_RELAXED);
    engine_step(EVENT_COND_WAIT, (uint64_t)condition, 0, pc);
    check_companions(condition, m, pc);
    engine_use_object((uint64_t)condition, sizeof(pthread_cond_t), pc);
    sleep_begin(condition);
    bool leaves = --m->depth == 0;
    if (leaves)
        leave_asleep(m, pc);
    engine_note(EVENT_COND_WAIT, (uint64_t)condition, 0, ORDER_RELEASE, 0, 0, pc);
    bool in_time = sleeps(EVENT_COND_WAKE, limit, pc);
    engine_note_inside((uint64_t)m + !in_time);
    if (leaves)
        lock_awake(m, pc);
    else
        m->depth++;
    engine_note_inside(0);
    return in_time ? 0 : ETIMEDOUT;
}

int condition_wait(void *condition, struct mutex *m, const struct deadline *limit, const void *pc)
{
    return wait_on(condition, m, limit, sleep_wait_lightly, pc);
}

int condition_wait_firmly(void *condition, struct mutex *m, const struct deadline *limit, const void *pc)
{
    return wait_on(condition, m, limit, sleep_wait, pc);
}

int condition_wake(void *condition, bool all, const void *pc)
{
    enum event_kind kind = all ? EVENT_COND_BROADCAST : EVENT_COND_SIGNAL;
    object_check(condition_object(condition), pc);
    uint32_t woken = sleep_wake_described(condition, all ? UINT32_MAX : 1, kind, pc);
    engine_note(kind, (uint64_t)condition, 0, ORDER_RELAXED, 0, woken, pc);
    engine_use_object((uint64_t)condition, sizeof(pthread_cond_t), pc);
    return 0;
}

int condition_destroy(void *condition, const void *pc)
{
    uint32_t list[CLOCKS_THREADS_MAX];
    object_check(condition_object(condition), pc);
    if (sleep_list(condition, list))
        engine_fail(WORKER_ERROR_DESTROY, (uint64_t)condition, pc,
                    "the condition variable is destroyed while T%u waits on it", list[0]);
    /* After signals and the beginning of waits, by what happens before. Those that were woken do not use it any more. */
    engine_plain_object((uint64_t)condition, sizeof(pthread_cond_t), pc);
    ((struct condition *)condition)->mark = OBJECT_DESTROYED;
    return 0;
}

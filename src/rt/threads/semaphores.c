/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores and barriers. */
#include "rt/threads/locks.h"
#include "rt/start.h"
#include "rt/system/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>

struct semaphore {
    uint32_t value; /* where glibc has it */
    uint32_t waiting;
    uint32_t spare[2];
    uint32_t mark;           /* enum object_mark; the C library does not use the word */
    uint32_t most, not_most; /* of C++, complements: max(); else there is no limit but that of POSIX */
};

_Static_assert(sizeof(struct semaphore) <= sizeof(sem_t), "fits");

static bool has_value(void *object)
{
    return ((struct semaphore *)object)->value > 0;
}

static struct object semaphore_object(sem_t *sem)
{
    return (struct object){sem, sizeof *sem, ((struct semaphore *)sem)->mark, "semaphore"};
}

static struct semaphore *check_semaphore(sem_t *sem, const void *pc)
{
    object_check_begun(semaphore_object(sem), pc);
    return (struct semaphore *)sem;
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

static int take(struct semaphore *s, enum event_kind kind, const void *pc)
{
    s->value--;
    engine_acquire((uint64_t)s);
    engine_use_object((uint64_t)s, sizeof(sem_t), pc);
    engine_note(kind, (uint64_t)s, 0, ORDER_ACQUIRE, s->value + 1, kind == EVENT_TRYLOCK ? 1 : s->value, pc);
    return 0;
}

static int wait_semaphore(sem_t *sem, const struct deadline *limit, const void *pc)
{
    struct semaphore *s = check_semaphore(sem, pc);
    s->waiting++;
    engine_describe(OPERATION_TAKE, 0, s->value, ORDER_ACQUIRE);
    bool in_time = locks_wait(EVENT_SEM_WAIT, s, has_value, s, limit, pc);
    s->waiting--;
    return in_time ? take(s, EVENT_SEM_WAIT, pc) : fail_with(ETIMEDOUT);
}

EXPORT int sem_init(sem_t *sem, int shared, unsigned value)
{
    if (!engine_active) {
        object_note_early(sem);
        real.memset(sem, 0, sizeof *sem); /* of our own members glibc's has none */
        return NEXT(sem_init)(sem, shared, value);
    }
    if (value > SEM_VALUE_MAX)
        return fail_with(EINVAL);
    object_begin(semaphore_object(sem), CALLER);
    real.memset(sem, 0, sizeof *sem);
    ((struct semaphore *)sem)->value = value;
    ((struct semaphore *)sem)->mark = OBJECT_LIVE;
    engine_restart_objects((uint64_t)sem, 1, value);
    return 0;
}

static void check_most(const struct semaphore *s, uint64_t value, const void *pc)
{
    if (s->most == ~s->not_most && value > s->most)
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)s, pc,
                    "the semaphore is released by T%u beyond its max() of %u", engine_current(), s->most);
}

/* std::counting_semaphore has been made (include/plumb/libstdc++/semaphore). */
EXPORT void __plumb_limit_semaphore(sem_t *sem, unsigned most)
{
    struct semaphore *s = (struct semaphore *)sem;
    s->most = most;
    s->not_most = ~most;
    if (engine_active)
        check_most(s, s->value, CALLER);
}

REPLACE_BY(int, sem_destroy, (sem), sem_t *sem)
{
    struct semaphore *s = check_semaphore(sem, CALLER);
    if (s->waiting)
        engine_fail(WORKER_ERROR_DESTROY, (uint64_t)s, CALLER,
                    "the semaphore is destroyed while a thread waits on it");
    object_end(semaphore_object(sem), CALLER);
    s->mark = OBJECT_DESTROYED;
    return 0;
}

REPLACE(int, sem_wait, (sem), wait_semaphore(sem, NULL, CALLER), sem_t *sem)
REPLACE(int, sem_timedwait, (sem, until),
        wait_semaphore(sem, &(struct deadline){CLOCK_REALTIME, until}, CALLER), sem_t *sem,
        const struct timespec *until)
REPLACE(int, sem_clockwait, (sem, clock, until),
        wait_semaphore(sem, &(struct deadline){clock, until}, CALLER), sem_t *sem, clockid_t clock,
        const struct timespec *until)

REPLACE_BY(int, sem_trywait, (sem), sem_t *sem)
{
    struct semaphore *s = check_semaphore(sem, CALLER);
    engine_describe(OPERATION_TRY_TAKE, 0, s->value, ORDER_ACQUIRE);
    engine_step(EVENT_TRYLOCK, (uint64_t)s, 0, CALLER);
    if (engine_found(s->value))
        return take(s, EVENT_TRYLOCK, CALLER);
    engine_use_object((uint64_t)s, sizeof *sem, CALLER);
    engine_note(EVENT_TRYLOCK, (uint64_t)s, sizeof s->value, ORDER_RELAXED, 0, 0, CALLER);
    return fail_with(EAGAIN);
}

REPLACE_BY(int, sem_post, (sem), sem_t *sem)
{
    struct semaphore *s = check_semaphore(sem, CALLER);
    engine_describe(OPERATION_ADD, 1, s->value, ORDER_RELEASE);
    engine_step_leaving(EVENT_SEM_POST, (uint64_t)s, sizeof *sem, CALLER);
    check_most(s, engine_found(s->value) + 1, CALLER);
    if (s->value >= SEM_VALUE_MAX)
        return fail_with(EOVERFLOW);
    s->value++;
    engine_release((uint64_t)s);
    engine_note(EVENT_SEM_POST, (uint64_t)s, 0, ORDER_RELEASE, s->value - 1, s->value, CALLER);
    return 0;
}

REPLACE_BY(int, sem_getvalue, (sem, value), sem_t *sem, int *value)
{
    struct semaphore *s = check_semaphore(sem, CALLER);
    engine_describe(OPERATION_LOAD, 0, s->value, ORDER_RELAXED);
    engine_step(EVENT_READ, (uint64_t)s, 0, CALLER);
    uint64_t found = engine_found(s->value);
    engine_use_object((uint64_t)s, sizeof *sem, CALLER);
    engine_plain((uint64_t)value, sizeof *value, true, CALLER);
    *value = (int)found;
    return 0;
}

/* ------------------------------------------------------------------ with a name */

/* Other processes do not exist for an execution: a name is known from its creation to the execution's end. */
enum { NAMED = 16, NAME_SIZE = 64 };

static struct {
    char name[NAME_SIZE]; /* empty: unlinked or unused */
    bool used;
    sem_t sem;
} named[NAMED];
static bool any_named;

BEFORE_EACH_EXECUTION(semaphores_reset)
{
    if (any_named)
        real.memset(named, 0, sizeof named);
    any_named = false;
}

static sem_t *create_named(const char *name, unsigned value)
{
    for (int k = 0; k < NAMED; k++)
        if (!named[k].used && strlen(name) < NAME_SIZE && value <= SEM_VALUE_MAX) {
            any_named = named[k].used = true;
            real.memcpy(named[k].name, name, strlen(name) + 1);
            ((struct semaphore *)&named[k].sem)->value = value;
            ((struct semaphore *)&named[k].sem)->mark = OBJECT_LIVE;
            return &named[k].sem;
        }
    errno = EINVAL;
    return SEM_FAILED;
}

static sem_t *open_named(const char *name, int flags, unsigned value)
{
    for (int k = 0; k < NAMED; k++)
        if (named[k].used && strcmp(named[k].name, name) == 0) {
            if (!(flags & O_EXCL))
                return &named[k].sem;
            errno = EEXIST;
            return SEM_FAILED;
        }
    if (flags & O_CREAT)
        return create_named(name, value);
    errno = ENOENT;
    return SEM_FAILED;
}

EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
    mode_t mode = 0;
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list args;
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        value = va_arg(args, unsigned);
        va_end(args);
    }
    outside_use(OUTSIDE_NAMES, true, CALLER);
    return engine_active ? open_named(name, flags, value) : NEXT(sem_open)(name, flags, mode, value);
}

REPLACE(int, sem_close, (sem), 0, sem_t *sem)

REPLACE_BY(int, sem_unlink, (name), const char *name)
{
    outside_use(OUTSIDE_NAMES, true, CALLER);
    for (int k = 0; k < NAMED; k++)
        if (named[k].used && strcmp(named[k].name, name) == 0) {
            named[k].name[0] = 0; /* stays with those that have it open */
            return 0;
        }
    return fail_with(ENOENT);
}

/* ------------------------------------------------------------------ barriers */

struct barrier {
    uint32_t arrived, round;
    uint32_t needed; /* where glibc has it */
    uint32_t spare[3];
    uint32_t mark; /* enum object_mark; the C library does not use the word */
};

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "fits");

static struct object barrier_object(struct barrier *b)
{
    return (struct object){b, sizeof(pthread_barrier_t), b->mark, "barrier"};
}

static void check_barrier(struct barrier *b, const void *pc)
{
    object_check_begun(barrier_object(b), pc);
}

EXPORT int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned count)
{
    struct barrier *b = (struct barrier *)barrier;
    if (!engine_active) {
        object_note_early(barrier);
        real.memset(barrier, 0, sizeof *barrier);
        return NEXT(pthread_barrier_init)(barrier, attr, count);
    }
    if (count == 0 || count > INT_MAX)
        return EINVAL;
    object_begin(barrier_object(b), CALLER);
    real.memset(barrier, 0, sizeof *barrier);
    b->needed = count;
    b->mark = OBJECT_LIVE;
    engine_restart_objects((uint64_t)barrier, 1, 0);
    return 0;
}

REPLACE_BY(int, pthread_barrier_destroy, (barrier), pthread_barrier_t *barrier)
{
    struct barrier *b = (struct barrier *)barrier;
    check_barrier(b, CALLER);
    if (b->arrived)
        engine_fail(WORKER_ERROR_DESTROY, (uint64_t)b, CALLER,
                    "the barrier is destroyed while %u threads wait at it", b->arrived);
    b->needed = 0;
    b->mark = OBJECT_DESTROYED;
    return 0;
}

static int pass_last(struct barrier *b)
{
    uint32_t list[CLOCKS_THREADS_MAX], count = sleep_list(b, list);
    for (uint32_t k = 0; k < count; k++)
        sleep_wake(list[k]);
    b->arrived = 0;
    b->round++;
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

/* All arrivals so far. */
static uint64_t arrivals(const struct barrier *b)
{
    return (uint64_t)b->round * b->needed + b->arrived;
}

static int wait_barrier(struct barrier *b, const void *pc)
{
    check_barrier(b, pc);
    engine_describe(OPERATION_ADD, 1, arrivals(b), ORDER_ACQ_REL);
    engine_step_leaving(EVENT_BARRIER, (uint64_t)b, sizeof(pthread_barrier_t), pc);
    /* Threads can be one round ahead of those that still have to leave: rounds must not share their
     * clocks. */
    uint64_t meeting = (uint64_t)b + (b->round & 1);
    engine_release(meeting);
    engine_note(EVENT_BARRIER, (uint64_t)b, 0, ORDER_RELEASE, b->arrived, b->arrived + 1, pc);
    int result = 0;
    if (++b->arrived >= b->needed) {
        result = pass_last(b);
    } else {
        uint64_t round_ends = ((uint64_t)b->round + 1) * b->needed;
        sleep_begin(b);
        engine_describe(OPERATION_AWAIT_REACHED, round_ends, arrivals(b), ORDER_ACQUIRE);
        sleep_wait(EVENT_BARRIER, NULL, pc);
    }
    engine_acquire(meeting);
    return result;
}

REPLACE(int, pthread_barrier_wait, (barrier), wait_barrier((struct barrier *)barrier, CALLER),
        pthread_barrier_t *barrier)

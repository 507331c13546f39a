/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks and spin locks. Writers release to all; readers release to later writers only,
 * hence two addresses of happens-before.
 *
 * A lock that prefers writers (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; glibc ignores the other kind) has a gate: a
 * writer closes it before it waits for the readers that are inside, and readers pass it. It orders no memory. */
#include "rt/threads/locks.h"

#include <errno.h>

struct rwlock {
    uint32_t stamp;  /* hook_stamp, or: no thread holds it */
    uint32_t writer; /* thread + 1; 0: none */
    uint32_t readers;
    uint32_t gate; /* GATE_CLOSED and the writer that has closed it; else the readers that pass it */
    uint32_t mark; /* enum object_mark; no static initialiser writes there */
    uint16_t again, writers; /* sets of threads, modulo 16: read it while they read, wait to write */
};

#define GATE_CLOSED (UINT32_C(1) << 31)

_Static_assert(sizeof(struct rwlock) <= sizeof(pthread_rwlock_t), "fits");

static bool has_no_writer(void *object)
{
    return ((struct rwlock *)object)->writer == 0;
}

static bool is_free(void *object)
{
    struct rwlock *l = object;
    return l->writer == 0 && l->readers == 0;
}

static struct object rwlock_object(pthread_rwlock_t *lock)
{
    return (struct object){lock, sizeof *lock, ((struct rwlock *)lock)->mark, "read-write lock"};
}

static struct rwlock *check_rwlock(pthread_rwlock_t *lock, const void *pc)
{
    struct rwlock *l = (struct rwlock *)lock;
    object_check(rwlock_object(lock), pc);
    if (l->stamp != hook_stamp) {
        l->writer = l->readers = l->gate = 0;
        l->again = l->writers = 0;
        l->stamp = hook_stamp;
        object_forget_holders(l);
    }
    return l;
}

static uint64_t readers_of(struct rwlock *l)
{
    return (uint64_t)l + 1;
}

/* The lock as one value, for explorers of graphs. */
static uint64_t value_of(const struct rwlock *l)
{
    return l->writer ? OPERATION_EXCLUSIVE : l->readers;
}

static int take_read(struct rwlock *l, enum event_kind kind, const void *pc)
{
    l->readers++;
    object_hold(rwlock_object((pthread_rwlock_t *)l));
    engine_acquire((uint64_t)l);
    engine_note(kind, (uint64_t)l, 0, ORDER_ACQUIRE, 0, 1, pc);
    engine_use_object((uint64_t)l, sizeof(pthread_rwlock_t), pc);
    return 0;
}

static int take_write(struct rwlock *l, enum event_kind kind, const void *pc)
{
    l->writer = locks_me();
    object_hold(rwlock_object((pthread_rwlock_t *)l));
    engine_acquire((uint64_t)l);
    engine_acquire(readers_of(l));
    engine_note(kind, (uint64_t)l, 0, ORDER_ACQUIRE, 0, 1, pc);
    engine_use_object((uint64_t)l, sizeof(pthread_rwlock_t), pc);
    return 0;
}

/* POSIX lets it deadlock, or fail with an error that is not looked at. */
static void check_not_writer(struct rwlock *l, const void *pc)
{
    if (l->writer == locks_me())
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)l, pc,
                    "T%u locks a read-write lock that it holds for writing already", engine_current());
}

/* ------------------------------------------------------------------ the gate */

static bool has_gate(const struct rwlock *l)
{
    return ((const pthread_rwlock_t *)l)->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static uint64_t gate_of(const struct rwlock *l)
{
    return (uint64_t)l + 2;
}

static uint64_t gate_value(const struct rwlock *l)
{
    return l->gate & GATE_CLOSED ? OPERATION_EXCLUSIVE : l->gate;
}

static bool gate_is_open(void *object)
{
    return !(((struct rwlock *)object)->gate & GATE_CLOSED);
}

static bool gate_is_unused(void *object)
{
    return ((struct rwlock *)object)->gate == 0;
}

/* False: the time is over. */
static bool close_gate(struct rwlock *l, const struct deadline *limit, const void *pc)
{
    if (!has_gate(l))
        return true;
    engine_note_inside(gate_of(l));
    engine_describe(OPERATION_LOCK, OPERATION_EXCLUSIVE, gate_value(l), ORDER_RELAXED);
    bool closes = locks_wait(EVENT_LOCK, (const void *)gate_of(l), gate_is_unused, l, limit, pc);
    if (closes)
        l->gate = GATE_CLOSED | locks_me();
    return closes;
}

/* A writer that got the lock by trying has closed nothing. */
static void open_gate(struct rwlock *l, const void *pc)
{
    if (l->gate != (GATE_CLOSED | locks_me()))
        return;
    engine_note_inside(gate_of(l));
    engine_describe(OPERATION_UNLOCK, 0, gate_value(l), ORDER_RELAXED);
    engine_step(EVENT_UNLOCK, gate_of(l), 0, pc);
    l->gate = 0;
}

static bool enter_gate(struct rwlock *l, const struct deadline *limit, const void *pc)
{
    if (!has_gate(l))
        return true;
    engine_note_inside(gate_of(l));
    engine_describe(OPERATION_SHARE, 0, gate_value(l), ORDER_RELAXED);
    bool enters = locks_wait(EVENT_READ_LOCK, (const void *)gate_of(l), gate_is_open, l, limit, pc);
    l->gate += enters;
    return enters;
}

static bool try_gate(struct rwlock *l, const void *pc)
{
    if (!has_gate(l))
        return true;
    engine_note_inside(gate_of(l));
    engine_describe(OPERATION_TRY_SHARE, 0, gate_value(l), ORDER_RELAXED);
    engine_step(EVENT_TRYLOCK, gate_of(l), 0, pc);
    bool enters = !(engine_found(gate_value(l)) & OPERATION_EXCLUSIVE);
    l->gate += enters;
    return enters;
}

static void leave_gate(struct rwlock *l, const void *pc)
{
    if (!has_gate(l))
        return;
    engine_describe(OPERATION_SUB, 1, gate_value(l), ORDER_RELAXED);
    engine_step(EVENT_READ_UNLOCK, gate_of(l), 0, pc);
    l->gate--;
}

static int leave_inside(struct rwlock *l, int result)
{
    if (has_gate(l))
        engine_note_inside(0);
    return result;
}

/* ------------------------------------------------------------------ locking */

/* POSIX lets a reader wait behind a writer that waits for it; here, as in glibc, it does not unless there is a gate. */
static void note_user(struct rwlock *l, uint16_t *users)
{
    *users |= (uint16_t)(1U << engine_current() % 16);
    uint16_t all = l->again | l->writers;
    if (l->again && l->writers && all & (all - 1) && !has_gate(l))
        engine_limit(LIMIT_READ_AGAIN);
}

static int lock_read(pthread_rwlock_t *lock, const struct deadline *limit, const void *pc)
{
    struct rwlock *l = check_rwlock(lock, pc);
    check_not_writer(l, pc);
    if (l->readers && object_is_held(l))
        note_user(l, &l->again);
    if (!enter_gate(l, limit, pc))
        return leave_inside(l, ETIMEDOUT);
    engine_describe(OPERATION_SHARE, 0, value_of(l), ORDER_ACQUIRE);
    int result = locks_wait(EVENT_READ_LOCK, l, has_no_writer, l, limit, pc)
                     ? take_read(l, EVENT_READ_LOCK, pc)
                     : ETIMEDOUT;
    leave_gate(l, pc);
    return leave_inside(l, result);
}

static int lock_write(pthread_rwlock_t *lock, const struct deadline *limit, const void *pc)
{
    struct rwlock *l = check_rwlock(lock, pc);
    check_not_writer(l, pc);
    note_user(l, &l->writers);
    if (!close_gate(l, limit, pc))
        return leave_inside(l, ETIMEDOUT);
    engine_describe(OPERATION_LOCK, OPERATION_EXCLUSIVE, value_of(l), ORDER_ACQUIRE);
    if (locks_wait(EVENT_LOCK, l, is_free, l, limit, pc))
        return leave_inside(l, take_write(l, EVENT_LOCK, pc));
    open_gate(l, pc);
    return leave_inside(l, ETIMEDOUT);
}

static int fail_try(struct rwlock *l, const void *pc)
{
    engine_use_object((uint64_t)l, sizeof(pthread_rwlock_t), pc);
    engine_note(EVENT_TRYLOCK, (uint64_t)l, offsetof(struct rwlock, mark), ORDER_RELAXED, 0, 0, pc);
    return EBUSY;
}

static int unlock_write(struct rwlock *l, const void *pc)
{
    open_gate(l, pc);
    engine_describe(OPERATION_UNLOCK, 0, value_of(l), engine_unlock_order);
    engine_step_leaving(EVENT_UNLOCK, (uint64_t)l, sizeof(pthread_rwlock_t), pc);
    l->writer = 0;
    object_drop(l);
    engine_release((uint64_t)l);
    engine_note(EVENT_UNLOCK, (uint64_t)l, 0, engine_unlock_order, 0, 0, pc);
    return leave_inside(l, 0);
}

static int unlock_read(struct rwlock *l, const void *pc)
{
    engine_describe(OPERATION_SUB, 1, value_of(l), ORDER_RELEASE);
    engine_step_leaving(EVENT_READ_UNLOCK, (uint64_t)l, sizeof(pthread_rwlock_t), pc);
    object_drop(l);
    l->readers--;
    engine_release(readers_of(l));
    engine_note(EVENT_READ_UNLOCK, (uint64_t)l, 0, ORDER_RELEASE, 0, 0, pc);
    return 0;
}

REPLACE_BY(int, pthread_rwlock_init, (lock, attr), pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr)
{
    object_begin(rwlock_object(lock), CALLER);
    int kind = PTHREAD_RWLOCK_DEFAULT_NP;
    if (attr)
        pthread_rwlockattr_getkind_np(attr, &kind);
    real.memset(lock, 0, sizeof *lock);
    lock->__data.__flags = (unsigned)kind;
    ((struct rwlock *)lock)->mark = OBJECT_LIVE;
    return 0;
}

REPLACE_BY(int, pthread_rwlock_destroy, (lock), pthread_rwlock_t *lock)
{
    struct rwlock *l = check_rwlock(lock, CALLER);
    if (!is_free(l))
        engine_fail(WORKER_ERROR_DESTROY, (uint64_t)l, CALLER,
                    "the read-write lock is destroyed while it is held");
    object_end(rwlock_object(lock), CALLER);
    l->mark = OBJECT_DESTROYED;
    return 0;
}

REPLACE(int, pthread_rwlock_rdlock, (lock), lock_read(lock, NULL, CALLER), pthread_rwlock_t *lock)
REPLACE(int, pthread_rwlock_wrlock, (lock), lock_write(lock, NULL, CALLER), pthread_rwlock_t *lock)
REPLACE(int, pthread_rwlock_timedrdlock, (lock, until),
        lock_read(lock, &(struct deadline){CLOCK_REALTIME, until}, CALLER), pthread_rwlock_t *lock,
        const struct timespec *until)
REPLACE(int, pthread_rwlock_timedwrlock, (lock, until),
        lock_write(lock, &(struct deadline){CLOCK_REALTIME, until}, CALLER), pthread_rwlock_t *lock,
        const struct timespec *until)
REPLACE(int, pthread_rwlock_clockrdlock, (lock, clock, until),
        lock_read(lock, &(struct deadline){clock, until}, CALLER), pthread_rwlock_t *lock, clockid_t clock,
        const struct timespec *until)
REPLACE(int, pthread_rwlock_clockwrlock, (lock, clock, until),
        lock_write(lock, &(struct deadline){clock, until}, CALLER), pthread_rwlock_t *lock, clockid_t clock,
        const struct timespec *until)

REPLACE_BY(int, pthread_rwlock_tryrdlock, (lock), pthread_rwlock_t *lock)
{
    struct rwlock *l = check_rwlock(lock, CALLER);
    if (!try_gate(l, CALLER))
        return leave_inside(l, fail_try(l, CALLER));
    engine_describe(OPERATION_TRY_SHARE, 0, value_of(l), ORDER_ACQUIRE);
    engine_step(EVENT_TRYLOCK, (uint64_t)l, 0, CALLER);
    bool has_writer = engine_found(value_of(l)) & OPERATION_EXCLUSIVE;
    int result = has_writer ? fail_try(l, CALLER) : take_read(l, EVENT_TRYLOCK, CALLER);
    leave_gate(l, CALLER);
    return leave_inside(l, result);
}

REPLACE_BY(int, pthread_rwlock_trywrlock, (lock), pthread_rwlock_t *lock)
{
    struct rwlock *l = check_rwlock(lock, CALLER);
    engine_describe(OPERATION_TRYLOCK, OPERATION_EXCLUSIVE, value_of(l), ORDER_ACQUIRE);
    engine_step(EVENT_TRYLOCK, (uint64_t)l, 0, CALLER);
    return engine_found(value_of(l)) ? fail_try(l, CALLER) : take_write(l, EVENT_TRYLOCK, CALLER);
}

REPLACE_BY(int, pthread_rwlock_unlock, (lock), pthread_rwlock_t *lock)
{
    struct rwlock *l = check_rwlock(lock, CALLER);
    if (l->writer == locks_me())
        return unlock_write(l, CALLER);
    if (!object_is_held(l))
        engine_fail(WORKER_ERROR_UNLOCK, (uint64_t)l, CALLER,
                    "the read-write lock is unlocked by T%u, but %s", engine_current(),
                    is_free(l) ? "no thread holds it" : "other threads hold it");
    return unlock_read(l, CALLER);
}

/* std::shared_mutex is about to be unlocked (include/plumb/libstdc++/shared_mutex): POSIX does not care which way. */
EXPORT void __plumb_check_unlock(pthread_rwlock_t *lock, int exclusive)
{
    if (!engine_active)
        return;
    struct rwlock *l = check_rwlock(lock, CALLER);
    bool writes = l->writer == locks_me();
    if (object_is_held(l) && writes != (exclusive != 0))
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)l, CALLER,
                    writes ? "T%u calls unlock_shared, but owns the shared mutex exclusively"
                           : "T%u calls unlock, but owns the shared mutex in shared mode",
                    engine_current());
}

/* ------------------------------------------------------------------ spin locks */

/* One word: free, or the thread that holds it + 2. What the C library initialised is 0 or 1. */
enum {
    SPIN_OWNERS = 2,
    SPIN_LAST = SPIN_OWNERS + CLOCKS_THREADS_MAX,
#if defined(__x86_64__)
    /* 0 is what a static variable holds that was never initialised: locked forever */
    SPIN_EARLY = 1,
#else
    SPIN_EARLY = 0,
#endif
};

static bool spin_is_free(void *object)
{
    int state = *(volatile int *)object;
    return state == OBJECT_LIVE || state == SPIN_EARLY;
}

static struct object spin_object(pthread_spinlock_t *lock)
{
    return (struct object){(void *)lock, sizeof *lock, (uint32_t)*lock, "spin lock"};
}

static void describe_spin(enum operation o, pthread_spinlock_t *lock)
{
    engine_describe(o, locks_me(), spin_is_free((void *)lock) ? 0 : 1,
                    o == OPERATION_UNLOCK ? ORDER_RELEASE : ORDER_ACQUIRE);
}

static void check_spin(pthread_spinlock_t *lock, const void *pc)
{
    object_check(spin_object(lock), pc);
    bool held = *lock >= SPIN_OWNERS && *lock < SPIN_LAST;
    if (!held && !spin_is_free((void *)lock))
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)lock, pc, "the spin lock was never initialised");
}

static int take_spin(pthread_spinlock_t *lock, enum event_kind kind, const void *pc)
{
    *lock = SPIN_OWNERS + (int)engine_current();
    object_hold(spin_object(lock));
    engine_acquire((uint64_t)lock);
    engine_note(kind, (uint64_t)lock, 0, ORDER_ACQUIRE, 0, 1, pc);
    engine_use_object((uint64_t)lock, sizeof *lock, pc);
    return 0;
}

REPLACE_BY(int, pthread_spin_init, (lock, shared), pthread_spinlock_t *lock, int shared)
{
    object_begin(spin_object(lock), CALLER);
    *lock = OBJECT_LIVE;
    return 0;
}

REPLACE_BY(int, pthread_spin_destroy, (lock), pthread_spinlock_t *lock)
{
    check_spin(lock, CALLER);
    if (!spin_is_free((void *)lock))
        engine_fail(WORKER_ERROR_DESTROY, (uint64_t)lock, CALLER,
                    "the spin lock is destroyed while T%d holds it", *lock - SPIN_OWNERS);
    object_end(spin_object(lock), CALLER);
    *lock = OBJECT_DESTROYED;
    return 0;
}

REPLACE_BY(int, pthread_spin_lock, (lock), pthread_spinlock_t *lock)
{
    check_spin(lock, CALLER);
    describe_spin(OPERATION_LOCK, lock);
    engine_wait(EVENT_LOCK, (uint64_t)lock, spin_is_free, (void *)lock, CALLER);
    return take_spin(lock, EVENT_LOCK, CALLER);
}

REPLACE_BY(int, pthread_spin_trylock, (lock), pthread_spinlock_t *lock)
{
    check_spin(lock, CALLER);
    describe_spin(OPERATION_TRYLOCK, lock);
    engine_step(EVENT_TRYLOCK, (uint64_t)lock, 0, CALLER);
    if (engine_found(spin_is_free((void *)lock) ? 0 : 1) == 0)
        return take_spin(lock, EVENT_TRYLOCK, CALLER);
    engine_use_object((uint64_t)lock, sizeof *lock, CALLER);
    engine_note(EVENT_TRYLOCK, (uint64_t)lock, sizeof *lock, ORDER_RELAXED, 0, 0, CALLER);
    return EBUSY;
}

REPLACE_BY(int, pthread_spin_unlock, (lock), pthread_spinlock_t *lock)
{
    check_spin(lock, CALLER);
    if (*lock != SPIN_OWNERS + (int)engine_current())
        engine_fail(WORKER_ERROR_UNLOCK, (uint64_t)lock, CALLER, "the spin lock is unlocked by T%u, but %s",
                    engine_current(),
                    spin_is_free((void *)lock) ? "no thread holds it" : "another thread holds it");
    describe_spin(OPERATION_UNLOCK, lock);
    engine_step_leaving(EVENT_UNLOCK, (uint64_t)lock, sizeof *lock, CALLER);
    *lock = OBJECT_LIVE;
    object_drop((void *)lock);
    engine_release((uint64_t)lock);
    engine_note(EVENT_UNLOCK, (uint64_t)lock, 0, ORDER_RELEASE, 0, 0, CALLER);
    return 0;
}

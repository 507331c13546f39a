/* SPDX-License-Identifier: Apache-2.0 */
/* Things that happen once: pthread_once (C11 and std::call_once use it too) and static variables of C++
 * functions. Compiled with -fexceptions: an exception in the routine makes it count as not run. */
#include "rt/hook.h"

#include <pthread.h>
#include <threads.h>

enum { ONCE_NEW = 0, ONCE_RUNNING = 1, ONCE_DONE = 2 }; /* as glibc numbers them */

static bool once_is_settled(void *object)
{
    return *(volatile int *)object != ONCE_RUNNING;
}

struct attempt {
    int *state;
    int outcome;
};

static void settle(struct attempt *a)
{
    engine_describe(OPERATION_STORE, (uint64_t)a->outcome, ONCE_RUNNING, ORDER_RELEASE);
    if (engine_graph_mode)
        engine_step(EVENT_ONCE, (uint64_t)a->state, 0, NULL);
    *a->state = a->outcome;
    engine_release((uint64_t)a->state);
}

static void run_routine(int *state, void (*routine)(void))
{
    __attribute__((cleanup(settle))) struct attempt attempt = {state, ONCE_NEW};
    *state = ONCE_RUNNING;
    routine();
    attempt.outcome = ONCE_DONE;
}

static void go_on(const bool *active)
{
    engine_active = *active;
}

/* The C++ library prepares something for itself, in one execution only: it is no part of any. */
static void once_for_library(int *state, void (*routine)(void))
{
    __attribute__((cleanup(go_on))) bool active = engine_active;
    engine_active = !active;
    NEXT(pthread_once)(state, routine);
}

static void once(int *state, void (*routine)(void), const void *pc)
{
    if (hook_is_library_code(pc)) {
        once_for_library(state, routine);
        return;
    }
    heap_check((uint64_t)state, sizeof *state, pc);
    engine_use_object((uint64_t)state, sizeof *state, pc);
    if (*state < ONCE_NEW || *state > ONCE_DONE)
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)state, pc,
                    "the control variable of pthread_once was never initialised");
    engine_describe(OPERATION_ENTER_ONCE, 0, (uint64_t)*state, ORDER_ACQ_REL);
    engine_wait(EVENT_ONCE, (uint64_t)state, once_is_settled, state, pc);
    engine_note(EVENT_ONCE, (uint64_t)state, 0, ORDER_ACQ_REL, (uint64_t)*state, ONCE_DONE, pc);
    engine_acquire((uint64_t)state);
    if (engine_found((uint64_t)*state) != ONCE_DONE)
        run_routine(state, routine);
}

REPLACE_BY(int, pthread_once, (control, routine), pthread_once_t *control, void (*routine)(void))
{
    once(control, routine, CALLER);
    return 0;
}

_Static_assert(sizeof(once_flag) == sizeof(int), "the same object");

REPLACE(void, call_once, (flag, routine), once((int *)flag, routine, CALLER), once_flag *flag,
        void (*routine)(void))

/* ------------------------------------------------------------------ static variables of C++ functions */

/* The compiler tests byte 0 itself, with an atomic load that acquires; byte 1 is ours. */
struct guard {
    uint8_t done, busy;
};

int __cxa_guard_acquire(struct guard *guard);

static unsigned library_guards; /* of the C++ library, being initialised: as in once_for_library */

static bool guard_is_settled(void *object)
{
    return !((volatile struct guard *)object)->busy;
}

static int acquire_unwatched(struct guard *guard, const void *pc)
{
    int entered = NEXT(__cxa_guard_acquire)(guard);
    if (entered && (engine_active || library_guards) && hook_is_library_code(pc)) {
        library_guards++;
        engine_active = false;
    }
    return entered;
}

EXPORT int __cxa_guard_acquire(struct guard *guard)
{
    if (!engine_active || hook_is_library_code(CALLER))
        return acquire_unwatched(guard, CALLER);
    engine_describe(OPERATION_ENTER_ONCE, 0, guard->done ? ONCE_DONE : guard->busy, ORDER_ACQ_REL);
    engine_wait(EVENT_ONCE, (uint64_t)guard, guard_is_settled, guard, CALLER);
    bool done = engine_found(guard->done ? ONCE_DONE : ONCE_NEW) == ONCE_DONE;
    if (!engine_graph_mode) /* there the object's step is all */
        engine_atomic(EVENT_READ, (uint64_t)guard, 1, ORDER_ACQUIRE, done, done, CALLER);
    if (done)
        return 0;
    guard->busy = 1;
    return 1;
}

static void leave_guard(struct guard *guard, bool done, const void *pc)
{
    if (engine_graph_mode) { /* the object, and the byte that the compiler looks at */
        engine_describe(OPERATION_STORE, done ? ONCE_DONE : ONCE_NEW, ONCE_RUNNING, ORDER_RELEASE);
        engine_step(EVENT_ONCE, (uint64_t)guard, 0, pc);
    }
    engine_describe_access(OPERATION_STORE, ORDER_RELEASE, ORDER_RELAXED, done, 0);
    engine_step(EVENT_WRITE, (uint64_t)guard, 1, pc);
    guard->busy = 0;
    guard->done = done;
    engine_atomic(EVENT_WRITE, (uint64_t)guard, 1, ORDER_RELEASE, 0, done, pc);
}

/* A guard that was entered while nothing was watched. */
static void leave_unwatched(void (*leave)(struct guard *), struct guard *guard, const void *pc)
{
    leave(guard);
    if (library_guards && hook_is_library_code(pc) && --library_guards == 0)
        engine_active = true;
}

EXPORT void __cxa_guard_release(struct guard *guard)
{
    if (engine_active)
        leave_guard(guard, true, CALLER);
    else
        leave_unwatched(NEXT(__cxa_guard_release), guard, CALLER);
}

EXPORT void __cxa_guard_abort(struct guard *guard)
{
    if (engine_active)
        leave_guard(guard, false, CALLER);
    else
        leave_unwatched(NEXT(__cxa_guard_abort), guard, CALLER);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of POSIX and C11 on fibers. A pthread_t is the thread's number + 1. */
#define __NO_INLINE__ 1 /* or headers define some of these functions themselves */

#include "base/hash.h"
#include "rt/hook.h"
#include "rt/threads/locks.h"
#include "rt/start.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

/* `end`: of a stack that the program gives, or 0. `size` is what it asks for in any case. */
struct own_stack {
    uint64_t end;
    size_t size;
};

static struct {
    void *(*entry)(void *);
    void *argument;
    const void *handle; /* where the program keeps it */
    struct own_stack stack;
    bool known, detached, joined;
} threads[CLOCKS_THREADS_MAX];

static uint32_t alive;
static uint32_t known; /* numbers given out in this execution */

/* What the C++ library knows about exceptions in flight; an execution may end in the middle of one. */
struct exception_state {
    void *caught;
    unsigned uncaught;
};

static struct exception_state *(*exceptions_of_thread)(void);

/* Of all files (BEFORE_EACH_EXECUTION). */
extern void (*const __start_plumb_resets[])(void) __attribute__((visibility("hidden")));
extern void (*const __stop_plumb_resets[])(void) __attribute__((visibility("hidden")));

void threads_reset(void)
{
    static bool looked;
    if (!looked)
        exceptions_of_thread = (struct exception_state * (*)(void)) dlsym(RTLD_DEFAULT, "__cxa_get_globals");
    looked = true;
    hook_stamp++;
    real.memset(threads, 0, known * sizeof *threads);
    threads[0].known = true;
    alive = known = 1;
    for (void (*const *reset)(void) = __start_plumb_resets; reset < __stop_plumb_resets; reset++)
        (*reset)();
}

void threads_begin(void)
{
    if (exceptions_of_thread)
        *exceptions_of_thread() = (struct exception_state){NULL, 0};
    errno = 0;
}

/* A thread runs on a stack of the runtime, but the program's has to be there, and no other thread may use it, as long as it
 * lives: its upper end, where the C library keeps what belongs to the thread, is written when the thread begins and when it ends. */
static void use_own_stack(uint32_t thread)
{
    enum { USED = 4096 };
    struct own_stack s = threads[thread].stack;
    size_t used = s.size < USED ? s.size : USED;
    if (s.end)
        engine_plain_object(s.end - used, used, (const char *)(uintptr_t)threads[thread].entry + 1);
}

void threads_end(uint32_t thread)
{
    thread_exit_run_destructors(thread);
    keys_run_destructors(thread);
    use_own_stack(thread);
    if (--alive == 0)
        ending_run_last(); /* main called pthread_exit, and this was the last thread */
}

/* ------------------------------------------------------------------ life and death */

static void *begin_thread(void *unused)
{
    uint32_t self = engine_current();
    threads_begin();
    use_own_stack(self);
    return threads[self].entry(threads[self].argument);
}

static uint32_t create(void *(*entry)(void *), void *argument, bool detached, const void *pc)
{
    uint32_t number = engine_create(begin_thread, NULL, pc);
    known = number + 1;
    threads[number].entry = entry;
    threads[number].argument = argument;
    threads[number].known = true;
    threads[number].detached = detached;
    alive++;
    if (detached)
        engine_claim_thread(number);
    signals_inherit(number);
    return number;
}

static pthread_t handle_of(uint32_t number)
{
    return (pthread_t)(uintptr_t)(number + 1);
}

uint32_t threads_create(void *(*entry)(void *), void *argument, uint64_t alike)
{
    if (alike)
        engine_describe_create((uint64_t)entry, alike);
    return create(entry, argument, false, NULL);
}

/* A real thread would live through all executions. */
static bool is_refused(const void *pc)
{
    if (engine_active || !start_is_worker || !snapshot_is_program(pc))
        return false;
    if (!start_has_begun)
        start_refuse("threads", pc);
    return true;
}

/* The handle is there before the thread begins. Where accesses are steps, or an atomic object
 * was at its place, it comes after, when it is known: the standard promises no more. */
static void create_into(pthread_t *thread, void *(*entry)(void *), void *argument, bool detached,
                        struct own_stack stack, const void *pc)
{
    bool late = engine_allows_races() || engine_is_in_graph((uint64_t)thread, sizeof *thread);
    if (!late)
        engine_plain((uint64_t)thread, sizeof *thread, true, pc);
    uint32_t number = create(entry, argument, detached, pc);
    threads[number].stack = stack;
    engine_want_stack(number, stack.size);
    if (late)
        engine_plain((uint64_t)thread, sizeof *thread, true, pc);
    *thread = handle_of(number);
    threads[number].handle = thread;
}

/* Without a stack of the program's the end that the attribute names is null. */
static struct own_stack stack_of(const pthread_attr_t *attr)
{
    void *begin = NULL;
    struct own_stack s = {0};
    if (attr && pthread_attr_getstack(attr, &begin, &s.size) == 0)
        s.end = (uint64_t)begin + s.size;
    if (attr)
        pthread_attr_getstacksize(attr, &s.size); /* the usual one, if none was set */
    return s;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*entry)(void *),
                          void *argument)
{
    if (is_refused(CALLER))
        return EAGAIN;
    if (!engine_active)
        return real.pthread_create(thread, attr, entry, argument);
    int state = PTHREAD_CREATE_JOINABLE;
    struct own_stack stack = stack_of(attr);
    if (attr)
        pthread_attr_getdetachstate(attr, &state);
    engine_describe_create((uint64_t)entry,
                           hash_combine(hash_combine((uint64_t)argument, stack.size), (uint64_t)state));
    create_into(thread, entry, argument, state == PTHREAD_CREATE_DETACHED, stack, CALLER);
    return 0;
}

/* The number of a thread that may be waited for. */
static uint32_t check_thread(pthread_t thread, const char *what, const void *pc)
{
    uint64_t number = (uint64_t)thread - 1;
    if (number >= CLOCKS_THREADS_MAX || !threads[number].known)
        engine_fail(WORKER_ERROR_MISUSE, 0, pc, "%s of something that is not a thread", what);
    if (threads[number].detached || threads[number].joined)
        engine_fail(WORKER_ERROR_MISUSE, 0, pc, "%s of T%u, which is %s already", what, (unsigned)number,
                    threads[number].detached ? "detached" : "joined");
    return (uint32_t)number;
}

/* The C++ library reports it to its caller. */
static void check_other(uint32_t number, const void *pc)
{
    if (number != engine_current())
        return;
    engine_distinguish_threads();
    if (!hook_is_library_code(pc))
        engine_fail(WORKER_ERROR_MISUSE, 0, pc, "join of T%u by itself", number);
}

static void *join(uint32_t number, const void *pc)
{
    engine_claim_thread(number);
    threads[number].joined = true;
    return engine_join(number, pc);
}

void threads_join(uint32_t thread)
{
    engine_describe_join(NULL, false);
    join(thread, NULL);
}

/* What the thread returned goes to `result`, of this size, if that is not null. */
static int join_result(pthread_t thread, void *result, size_t size, const void *pc)
{
    uint32_t number = check_thread(thread, "join", pc);
    check_other(number, pc);
    if (number == engine_current())
        return EDEADLK;
    engine_describe_join(threads[number].handle, result != NULL);
    void *value = join(number, pc);
    if (result) {
        engine_plain((uint64_t)result, size, true, pc);
        real.memcpy(result, &value, size); /* an int is its lower half */
    }
    return 0;
}

static int join_into(pthread_t thread, void **result, const void *pc)
{
    return join_result(thread, result, sizeof *result, pc);
}

REPLACE(int, pthread_join, (thread, result), join_into(thread, result, CALLER), pthread_t thread,
        void **result)

REPLACE_BY(int, pthread_tryjoin_np, (thread, result), pthread_t thread, void **result)
{
    uint32_t number = check_thread(thread, "join", CALLER);
    engine_refuse_graph("pthread_tryjoin_np", CALLER);
    engine_step(EVENT_JOIN, number, 0, CALLER);
    return engine_has_ended(number) ? join_into(thread, result, CALLER) : EBUSY;
}

static bool has_ended(void *number)
{
    return engine_has_ended((uint32_t)(uintptr_t)number);
}

static int join_limited(pthread_t thread, void **result, struct deadline limit, const void *pc)
{
    uint32_t number = check_thread(thread, "join", pc);
    engine_refuse_graph("a join with a time limit", pc);
    if (!locks_wait(EVENT_JOIN, (void *)(uintptr_t)number, has_ended, (void *)(uintptr_t)number, &limit, pc))
        return ETIMEDOUT;
    return join_into(thread, result, pc);
}

REPLACE(int, pthread_timedjoin_np, (thread, result, until),
        join_limited(thread, result, (struct deadline){CLOCK_REALTIME, until}, CALLER), pthread_t thread,
        void **result, const struct timespec *until)
REPLACE(int, pthread_clockjoin_np, (thread, result, clock, until),
        join_limited(thread, result, (struct deadline){clock, until}, CALLER), pthread_t thread,
        void **result, clockid_t clock, const struct timespec *until)

static void detach(pthread_t thread, const void *pc)
{
    uint32_t number = check_thread(thread, "detach", pc);
    engine_claim_thread(number);
    threads[number].detached = true;
}

REPLACE_BY(int, pthread_detach, (thread), pthread_t thread)
{
    detach(thread, CALLER);
    return 0;
}

EXPORT pthread_t pthread_self(void)
{
    if (!start_is_worker)
        return NEXT(pthread_self)();
    if (engine_active) {
        engine_distinguish_threads();
        engine_note_answer("pthread_self", CALLER);
    }
    return handle_of(engine_current());
}

EXPORT int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

/* ------------------------------------------------------------------ C11 */

/* The int that the function returns comes back in the low half of the result. */
typedef void *pointer_function(void *);

EXPORT int thrd_create(thrd_t *thread, thrd_start_t entry, void *argument)
{
    if (is_refused(CALLER))
        return thrd_error;
    if (!engine_active)
        return NEXT(thrd_create)(thread, entry, argument);
    engine_describe_create((uint64_t)entry, (uint64_t)argument);
    create_into(thread, (pointer_function *)(void (*)(void))entry, argument, false, (struct own_stack){0},
                CALLER);
    return thrd_success;
}

REPLACE(int, thrd_join, (thread, result),
        join_result(thread, result, sizeof *result, CALLER) ? thrd_error : thrd_success, thrd_t thread,
        int *result)

REPLACE_BY(int, thrd_detach, (thread), thrd_t thread)
{
    detach(thread, CALLER);
    return thrd_success;
}

EXPORT thrd_t thrd_current(void)
{
    pthread_t self = pthread_self();
    engine_note_answer("thrd_current", CALLER);
    return self;
}
EXPORT int thrd_equal(thrd_t a, thrd_t b)
{
    return a == b;
}

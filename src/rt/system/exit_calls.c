/* SPDX-License-Identifier: Apache-2.0 */
/* How a program ends: exit and its relatives, handlers registered for then, abort, failed assertions. */
#include "base/vec.h"
#include "engine/code/modules.h"
#include "engine/memory/snapshot.h"
#include "rt/hook.h"
#include "rt/access/sections.h"
#include "rt/calls/calls.h"
#include "rt/cxx/cxx_uncaught.h"
#include "rt/start.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ handlers */

struct handler {
    void (*function)(void *);
    void *argument;
    bool with_status; /* on_exit: void (*)(int, void *) */
};

typedef VEC(struct handler) handler_stack;

/* Those of constructors that ran before the first execution belong to every execution. */
static struct {
    handler_stack kept, now;
} at_exit, at_quick;
static int exit_status;

static void renew_handlers(const handler_stack *kept, handler_stack *now)
{
    vec_clear(now);
    for (size_t k = 0; k < kept->len; k++)
        vec_push(now, kept->data[k]);
}

BEFORE_EACH_EXECUTION(ending_reset)
{
    renew_handlers(&at_exit.kept, &at_exit.now);
    renew_handlers(&at_quick.kept, &at_quick.now);
    exit_status = 0;
}

/* In the worker the process never ends by exit: the C library needs to know of the program's handlers no
 * more. */
static bool is_program_handler(const void *pc)
{
    return start_is_worker && snapshot_is_program(pc) && !hook_is_library_code(pc);
}

static int add_exit_handler(struct handler h)
{
    vec_push(start_has_begun ? &at_exit.now : &at_exit.kept, h);
    return 0;
}

EXPORT int __cxa_atexit(void (*function)(void *), void *argument, void *module)
{
    if (is_program_handler(CALLER))
        return add_exit_handler((struct handler){function, argument, false});
    if (engine_active)
        return 0; /* the C++ library's own variables outlive the execution */
    return NEXT(__cxa_atexit)(function, argument, module);
}

EXPORT int on_exit(void (*function)(int, void *), void *argument)
{
    if (!is_program_handler(CALLER))
        return NEXT(on_exit)(function, argument);
    return add_exit_handler((struct handler){(void (*)(void *))(void (*)(void))function, argument, true});
}

EXPORT int __cxa_at_quick_exit(void (*function)(void *), void *module)
{
    if (!is_program_handler(CALLER))
        return NEXT(__cxa_at_quick_exit)(function, module);
    vec_push(start_has_begun ? &at_quick.now : &at_quick.kept, ((struct handler){function, NULL, false}));
    return 0;
}

static void run_handler(struct handler h)
{
    if (h.with_status)
        ((void (*)(int, void *))(void (*)(void))h.function)(exit_status, h.argument);
    else
        h.function(h.argument);
}

/* Functions with the attribute `destructor`. Every module has one of the compiler's own, which does nothing here: it
 * finds no handlers. */
typedef void ending_function(void);
static VEC(ending_function *) endings;

static void find_endings(void)
{
    for (size_t k = 0; k < modules_count(); k++) {
        const struct module *m = modules_at(k);
        for (size_t e = m->is_instrumented && m->ending_count > 1 ? m->ending_count : 0; e > 0; e--)
            vec_push(&endings, m->endings[e - 1]);
    }
}

static bool has_endings(void)
{
    static bool found;
    if (!found)
        find_endings();
    found = true;
    return endings.len > 0;
}

/* Last registered, first run; a handler may register more. */
static void ending_run_handlers(void)
{
    while (at_exit.now.len > 0)
        run_handler(vec_pop(&at_exit.now));
    for (size_t k = 0; has_endings() && k < endings.len; k++)
        endings.data[k]();
}

void ending_run_last(void)
{
    if (at_exit.now.len > 0 || has_endings())
        engine_depend_on_order();
    ending_run_handlers();
}

/* ------------------------------------------------------------------ exit */

/* Code of a specification may not. */
static void check_quiet(const char *what, const void *pc)
{
    if (calls_are_quiet() && !snapshot_is_runtime_code(pc))
        calls_refuse_code(what);
}

/* A failed check of the runtime, which has said so, ends the process and not an execution. */
static bool is_program_exit(const void *pc)
{
    check_quiet("ends the process", pc);
    if (engine_active && snapshot_is_runtime_code(pc))
        engine_active = false;
    return engine_active;
}

bool ending_in_test;

_Noreturn void ending_exit_at_once(int status, const void *pc)
{
    bool early = ending_in_test && pc;
    if ((status & 0xff) == 0 && !early)
        engine_finish();
    if ((status & 0xff) == 0)
        engine_fail(WORKER_ERROR_EXIT, 0, pc, "the program ends with status 0 in the middle of a test");
    engine_fail(WORKER_ERROR_EXIT, 0, pc, "the program ends with status %d", status & 0xff);
}

void ending_exit(int status, const void *pc)
{
    exit_status = status;
    thread_exit_run_destructors(engine_current());
    ending_run_handlers();
    ending_exit_at_once(status, pc);
}

EXPORT void exit(int status)
{
    if (!is_program_exit(CALLER))
        NEXT(exit)(status);
    ending_exit(status, CALLER);
}

EXPORT void quick_exit(int status)
{
    if (!engine_active)
        NEXT(quick_exit)(status);
    while (at_quick.now.len > 0)
        run_handler(vec_pop(&at_quick.now));
    ending_exit_at_once(status, CALLER);
}

static __typeof__(_exit) *real_exit_now;

EXPORT void _exit(int status)
{
    if (is_program_exit(CALLER))
        ending_exit_at_once(status, CALLER);
    if (!real_exit_now)
        ending_prepare();
    real_exit_now(status);
    __builtin_unreachable();
}

EXPORT void _Exit(int status)
{
    if (engine_active)
        ending_exit_at_once(status, CALLER);
    _exit(status);
}

/* ------------------------------------------------------------------ abort */

void ending_prepare(void)
{
    real_exit_now = (__typeof__(real_exit_now))hook_find_next("_exit");
    uncaught_prepare();
    void *(*set_terminate)(void (*)(void));
    *(void **)&set_terminate = dlsym(RTLD_DEFAULT, "_ZSt13set_terminatePFvvE");
    if (set_terminate && start_is_worker)
        set_terminate(abort); /* the usual one talks on the error stream */
}

_Noreturn void ending_abort(const void *pc)
{
    char exception[400];
    if (uncaught_describe(exception, sizeof exception))
        engine_fail(WORKER_ERROR_EXCEPTION, 0, pc, "an exception of type %s", exception);
    engine_fail(WORKER_ERROR_ABORT, 0, pc, "the program aborts");
}

EXPORT void abort(void)
{
    check_quiet("aborts", CALLER);
    if (!engine_active)
        NEXT(abort)();
    if (sections_assume(CALLER))
        engine_refute_assumption();
    ending_abort(CALLER);
}

/* The file without its folders: the report has the place, this one is for programs without debug
 * information. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

EXPORT void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    check_quiet("fails an assertion", CALLER);
    if (!engine_active)
        NEXT(__assert_fail)(expression, file, line, function);
    engine_fail(WORKER_ERROR_ASSERT, 0, CALLER, "assertion '%s' does not hold (%s:%u)", expression,
                file_name(file), line);
}

EXPORT void __assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
    check_quiet("fails an assertion", CALLER);
    if (!engine_active)
        NEXT(__assert_perror_fail)(error, file, line, function);
    engine_fail(WORKER_ERROR_ASSERT, 0, CALLER, "unexpected error: %s (%s:%u)", strerrordesc_np(error),
                file_name(file), line);
}

EXPORT void __assert(const char *expression, const char *file, int line)
{
    check_quiet("fails an assertion", CALLER);
    if (!engine_active)
        NEXT(__assert)(expression, file, line);
    engine_fail(WORKER_ERROR_ASSERT, 0, CALLER, "assertion '%s' does not hold (%s:%d)", expression,
                file_name(file), line);
}

EXPORT void __stack_chk_fail(void)
{
    if (!engine_active)
        NEXT(__stack_chk_fail)();
    engine_fail(WORKER_ERROR_CRASH, 0, CALLER, "the stack of T%u is overwritten", engine_current());
}

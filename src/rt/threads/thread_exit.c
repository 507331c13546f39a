/* SPDX-License-Identifier: Apache-2.0 */
/* How a thread ends before its function returns, and what runs then: cleanup handlers of C, destructors
 * of C++ on its stack, destructors of thread_local objects. */
#include "base/check.h"
#include "base/vec.h"
#include "rt/hook.h"
#include "rt/start.h"

#include <pthread.h>
#include <setjmp.h>
#include <threads.h>
#include <unwind.h>

/* ------------------------------------------------------------------ thread_local objects */

struct destructor {
    void (*function)(void *);
    void *object;
};

static VEC(struct destructor) destructors[CLOCKS_THREADS_MAX];
static __pthread_unwind_buf_t *cleanups[CLOCKS_THREADS_MAX]; /* the innermost of each thread */
static bool any;                                             /* of these, in this execution */

BEFORE_EACH_EXECUTION(thread_exit_reset)
{
    for (uint32_t t = 0; any && t < CLOCKS_THREADS_MAX; t++) {
        vec_clear(&destructors[t]);
        cleanups[t] = NULL;
    }
    any = false;
}

void thread_exit_run_destructors(uint32_t thread)
{
    while (destructors[thread].len) {
        struct destructor d = vec_pop(&destructors[thread]);
        d.function(d.object);
    }
}

/* Before the first execution the storage is not that of thread 0. */
static int add_destructor(void (*function)(void *), void *object)
{
    if (!engine_active)
        return 0;
    any = true;
    vec_push(&destructors[engine_current()], ((struct destructor){function, object}));
    return 0;
}

EXPORT int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module)
{
    if (start_is_worker)
        return add_destructor(function, object);
    return NEXT(__cxa_thread_atexit_impl)(function, object, module);
}

EXPORT int __cxa_thread_atexit(void (*function)(void *), void *object, void *module)
{
    return __cxa_thread_atexit_impl(function, object, module);
}

/* ------------------------------------------------------------------ pthread_exit */

static struct {
    struct _Unwind_Exception exception;
    void *result;
} exits[CLOCKS_THREADS_MAX];

/* pthread_cleanup_push of C keeps a place to jump to; the fields that follow are ours. */
static __pthread_unwind_buf_t *outer_of(const __pthread_unwind_buf_t *buffer)
{
    return buffer->__pad[0];
}

static _Noreturn void run_cleanup(__pthread_unwind_buf_t *buffer)
{
    jmp_buf place = {0}; /* longer than what the macro keeps, which leaves out the signal mask */
    real.memcpy(place, buffer->__cancel_jmp_buf, sizeof *buffer->__cancel_jmp_buf);
    longjmp(place, 1);
}

/* Code of the program runs only in frames that have something to do. What the unwinder itself reads is none of its accesses. */
static void let_frame_run(struct _Unwind_Context *context)
{
    if (_Unwind_GetLanguageSpecificData(context))
        engine_active = true;
}

/* Asked at each frame on the way out. */
static _Unwind_Reason_Code pass_frame(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                      struct _Unwind_Exception *exception, struct _Unwind_Context *context,
                                      void *data)
{
    uint32_t self = engine_current();
    __pthread_unwind_buf_t *buffer = cleanups[self];
    bool last = actions & _UA_END_OF_STACK;
    bool cleans_up = buffer && (last || _Unwind_GetCFA(context) > (uintptr_t)buffer);
    engine_active |= cleans_up || last;
    if (cleans_up)
        run_cleanup(buffer);
    if (last)
        engine_exit_thread(exits[self].result);
    let_frame_run(context);
    return _URC_NO_REASON;
}

static _Noreturn void unwind_thread(void)
{
    uint32_t self = engine_current();
    exits[self].exception = (struct _Unwind_Exception){0};
    engine_active = false;
    _Unwind_ForcedUnwind(&exits[self].exception, pass_frame, NULL);
    engine_active = true;
    if (cleanups[self]) /* a frame that cannot be unwound */
        run_cleanup(cleanups[self]);
    engine_exit_thread(exits[self].result);
}

EXPORT void pthread_exit(void *result)
{
    if (!engine_active)
        NEXT(pthread_exit)(result);
    exits[engine_current()].result = result;
    unwind_thread();
}

EXPORT void thrd_exit(int result)
{
    if (!engine_active)
        NEXT(thrd_exit)(result);
    exits[engine_current()].result = (void *)(intptr_t)result;
    unwind_thread();
}

REPLACE_BY(void, __pthread_register_cancel, (buffer), __pthread_unwind_buf_t *buffer)
{
    any = true;
    buffer->__pad[0] = cleanups[engine_current()];
    cleanups[engine_current()] = buffer;
}

REPLACE(void, __pthread_unregister_cancel, (buffer), (void)(cleanups[engine_current()] = outer_of(buffer)),
        __pthread_unwind_buf_t *buffer)

EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t *buffer)
{
    if (!engine_active)
        NEXT(__pthread_unwind_next)(buffer);
    cleanups[engine_current()] = outer_of(buffer);
    unwind_thread();
}

/* ------------------------------------------------------------------ std::promise */

/* set_value_at_thread_exit and its relatives: the C++ library makes the result ready by an atomic of its own, which
 * is not seen. */
void make_ready_at_exit(void *state) __asm__("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
EXPORT void make_ready_at_exit(void *state)
{
    if (engine_active)
        engine_give_up(CALLER, "std::promise::set_value_at_thread_exit");
    void (*next)(void *) =
        (void (*)(void *))hook_find_next("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
    next(state);
}

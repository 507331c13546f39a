/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that a thread sends to itself, masks, and what is done about a signal. All threads of the program run on one of
 * the system's, whose mask a handler changes while it runs: so handlers are called from here, and every thread has a mask
 * of its own. */
#include "engine/memory/snapshot.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "rt/system/outside.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIGNALS = 64 };

static struct {
    uint64_t blocked, pending;
    const char *handler; /* the frame that called the innermost one that runs */
} threads[CLOCKS_THREADS_MAX];

static struct {
    struct sigaction before; /* as it was when the execution began */
    bool is_changed;
} actions[SIGNALS + 1];

static uint64_t bit_of(int number)
{
    return UINT64_C(1) << (number - 1);
}

static bool any_changed; /* of the actions, in this execution */

BEFORE_EACH_EXECUTION(signals_reset)
{
    real.memset(threads, 0, sizeof threads);
    if (!any_changed)
        return;
    any_changed = false;
    for (int number = 1; number <= SIGNALS; number++) {
        if (actions[number].is_changed)
            NEXT(sigaction)(number, &actions[number].before, NULL);
        actions[number].is_changed = false;
    }
}

void signals_inherit(uint32_t thread)
{
    threads[thread].blocked = threads[engine_current()].blocked;
}

/* ------------------------------------------------------------------ what is done about a signal */

static void note_change(int number, const void *pc)
{
    outside_use(OUTSIDE_SIGNALS, true, pc);
    if (!actions[number].is_changed)
        actions[number].is_changed = NEXT(sigaction)(number, NULL, &actions[number].before) == 0;
    any_changed = true;
}

static bool is_signal(int number)
{
    return number >= 1 && number <= SIGNALS;
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (engine_active && action && is_signal(number))
        note_change(number, CALLER);
    return NEXT(sigaction)(number, action, old);
}

EXPORT __sighandler_t signal(int number, __sighandler_t handler)
{
    if (engine_active && is_signal(number))
        note_change(number, CALLER);
    return NEXT(signal)(number, handler);
}

static bool ends_the_process(int number, const struct sigaction *action)
{
    static const int harmless[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH};
    for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
        if (number == harmless[k])
            return false;
    return action->sa_handler == SIG_DFL;
}

static bool stops_the_process(int number)
{
    return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

/* ------------------------------------------------------------------ delivery */

static uint64_t word_of(const sigset_t *set)
{
    uint64_t word;
    real.memcpy(&word, set, sizeof word);
    return word;
}

static void set_of(sigset_t *set, uint64_t word)
{
    sigemptyset(set);
    real.memcpy(set, &word, sizeof word);
}

/* siglongjmp puts back a mask that we do not see. */
static void check_frame(const void *pc)
{
    const char *handler = threads[engine_current()].handler;
    if (handler && (const char *)__builtin_frame_address(0) > handler)
        engine_give_up(pc, "signals after a handler was left by longjmp");
}

static void call_handler(int number, const struct sigaction *action)
{
    uint32_t self = engine_current();
    const char *outer = threads[self].handler;
    uint64_t blocked = threads[self].blocked;
    siginfo_t info = {.si_signo = number, .si_code = SI_TKILL, .si_pid = getpid(), .si_uid = getuid()};
    ucontext_t context = {0};
    threads[self].handler = __builtin_frame_address(0);
    threads[self].blocked |= word_of(&action->sa_mask) | (action->sa_flags & SA_NODEFER ? 0 : bit_of(number));
    if (action->sa_flags & SA_RESETHAND)
        NEXT(signal)(number, SIG_DFL);
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, &info, &context);
    else
        action->sa_handler(number);
    threads[self].blocked = blocked;
    threads[self].handler = outer;
}

static int deliver(int number, const void *pc)
{
    struct sigaction action;
    if (NEXT(sigaction)(number, NULL, &action) != 0)
        return -1;
    if (ends_the_process(number, &action) && stops_the_process(number))
        engine_give_up(pc, "the program stops itself by signal %d (%s)", number, sigabbrev_np(number));
    if (ends_the_process(number, &action))
        engine_fail(WORKER_ERROR_CRASH, 0, pc, "the program ends itself by signal %d (%s)", number,
                    number < SIGRTMIN ? sigabbrev_np(number) : "RT");
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
        return 0;
    if (!snapshot_is_program((const void *)action.sa_handler)) /* the worker's own: a crash */
        return (int)NEXT(syscall)(SYS_tgkill, NEXT(syscall)(SYS_getpid), NEXT(syscall)(SYS_gettid), number);
    call_handler(number, &action);
    return 0;
}

static void deliver_pending(const void *pc)
{
    uint32_t self = engine_current();
    for (uint64_t ready; (ready = threads[self].pending & ~threads[self].blocked) != 0;) {
        threads[self].pending &= ~(ready & -ready);
        deliver(__builtin_ctzll(ready) + 1, pc);
    }
}

static int send_to_self(int number, const void *pc)
{
    uint32_t self = engine_current();
    if (number == 0)
        return 0;
    if (number == SIGABRT)
        ending_abort(pc);
    if (!is_signal(number)) {
        errno = EINVAL;
        return -1;
    }
    check_frame(pc);
    outside_use(OUTSIDE_SIGNALS, false, pc);
    if (number >= SIGRTMIN && (threads[self].pending & bit_of(number)))
        engine_give_up(pc, "several pending signals %d", number);
    threads[self].pending |= bit_of(number);
    deliver_pending(pc);
    return 0;
}

REPLACE(int, raise, (number), send_to_self(number, CALLER), int number)

REPLACE_BY(int, pthread_kill, (thread, number), pthread_t thread, int number)
{
    if (number == 0)
        return 0;
    if (thread != pthread_self())
        engine_give_up(CALLER, "pthread_kill of another thread");
    return send_to_self(number, CALLER) == 0 ? 0 : EINVAL;
}

/* ------------------------------------------------------------------ masks */

static int change_mask(int how, const sigset_t *set, sigset_t *old, const void *pc)
{
    uint64_t *blocked = &threads[engine_current()].blocked;
    uint64_t word = set ? word_of(set) & ~(bit_of(SIGKILL) | bit_of(SIGSTOP)) : 0;
    check_frame(pc);
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (old)
        set_of(old, *blocked);
    if (set)
        *blocked = how == SIG_BLOCK ? *blocked | word : how == SIG_UNBLOCK ? *blocked & ~word : word;
    deliver_pending(pc);
    return 0;
}

REPLACE(int, pthread_sigmask, (how, set, old), change_mask(how, set, old, CALLER), int how,
        const sigset_t *set, sigset_t *old)

REPLACE_BY(int, sigprocmask, (how, set, old), int how, const sigset_t *set, sigset_t *old)
{
    int error = change_mask(how, set, old, CALLER);
    errno = error ? error : errno;
    return error ? -1 : 0;
}

REPLACE_BY(int, sigpending, (set), sigset_t *set)
{
    set_of(set, threads[engine_current()].pending);
    return 0;
}

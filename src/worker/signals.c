/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/signals.h"

#include "engine/engine.h"
#include "machine/known_calls.h"
#include "rt/calls/calls.h"
#include "rt/inline/inline_code.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

/* A thread is looked at 20 times before its time is over, and at least ten times in a second. */
enum { ALT_STACK = 1 << 16, TICK_MS_MOST = 100, TICKS_LEAST = 20, TICKS_FIRST_SEARCH = 2 };

/* Instructions of a search: each costs a few microseconds, so a short computation must not wait for many. */
enum { SEARCH_PER_TICK = 12000, SEARCH_MOST = 200000 };

static struct worker_shared *shared;
static uint32_t tick_ms, ticks_max; /* without a step; UINT32_MAX: any number */
static uint32_t quiet;              /* such ticks up to now */
static uint32_t still;              /* ticks without a step, those in the runtime's own code among them */
static char alt_stack[ALT_STACK];

static const void *pc_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const void *)(context->uc_mcontext.gregs[REG_RIP] + 1); /* lines are looked up at pc - 1 */
#else
    return (const void *)(context->uc_mcontext.pc + 1);
#endif
}

/* A thread that blocks a signal leaves it to the parked ones, whose storage fibers borrow: then nothing is known
 * about the place. */
static bool is_running_thread(const ucontext_t *context)
{
#if defined(__x86_64__)
    return engine_is_own_stack((uint64_t)context->uc_mcontext.gregs[REG_RSP]);
#else
    return engine_is_own_stack(context->uc_mcontext.sp);
#endif
}

static bool in_execution(void)
{
    return shared->state == WORKER_RUNNING || shared->state == WORKER_SETUP;
}

/* Is program code running, in the set-up of a harness or in the execution proper? */
static bool in_program(void)
{
    return in_execution() && engine_active;
}

/* Is it what new memory is filled with, or a member away from that? */
static bool is_near_filling(uint64_t value)
{
    enum { NEAR = 65536 };
    static const uint8_t fillings[] = {HEAP_FILLING, STACK_FILLING_GCC, STACK_FILLING_CLANG};
    for (size_t k = 0; k < sizeof fillings; k++)
        if (value - UINT64_C(0x0101010101010101) * fillings[k] + NEAR < 2 * NEAR)
            return true;
    return false;
}

static bool has_filling(const ucontext_t *context)
{
#if defined(__x86_64__)
    for (int k = 0; k <= REG_RCX; k++) /* the general ones but for rsp */
        if (is_near_filling((uint64_t)context->uc_mcontext.gregs[k]))
            return true;
#else
    for (int k = 0; k < 31; k++)
        if (is_near_filling(context->uc_mcontext.regs[k]))
            return true;
#endif
    return false;
}

/* The kernel does not say which address it was if none like it exists: of a pointer that was never written, for instance. */
static void describe_address(char *to, size_t size, int number, const siginfo_t *info,
                             const ucontext_t *context)
{
    enum { NEAR_NULL = 65536 };
    uint64_t address = (uint64_t)info->si_addr;
    if (number != SIGSEGV && number != SIGBUS)
        *to = 0;
    else if (info->si_code == SI_KERNEL && has_filling(context))
        snprintf(to, size, ": access through a pointer that was never written");
    else if (info->si_code == SI_KERNEL)
        snprintf(to, size, ": a pointer that no memory can be at");
    else if (address == 0)
        snprintf(to, size, ": access through NULL");
    else if (address < NEAR_NULL)
        snprintf(to, size, ": access at NULL + %" PRIu64, address);
    else
        snprintf(to, size, ": access at 0x%" PRIx64, address);
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    uint64_t address = number == SIGSEGV || number == SIGBUS ? (uint64_t)info->si_addr : 0;
    const void *pc = inline_original(pc_of(context));
    if (calls_are_quiet()) {
        char what[48];
        snprintf(what, sizeof what, "crashes (SIG%s)", sigabbrev_np(number));
        calls_refuse_code(what);
    }
    if (!in_program()) {
        signal(number, SIG_DFL); /* not the program's step: let the tool see it */
        raise(number);
        return;
    }
    if (number == SIGTRAP && inline_is_trapped(pc))
        engine_give_up(pc, "inline assembly: a jump into the middle of other inline assembly");
    if (number == SIGSEGV && engine_is_stack_guard(address))
        engine_fail_stack(address, pc);
    char where[64];
    describe_address(where, sizeof where, number, info, context);
    engine_fail(WORKER_ERROR_CRASH, address, pc, "signal %d (%s)%s", number, sigabbrev_np(number), where);
}

/* Has there been a step since the last call? */
static bool has_stepped(void)
{
    static uint64_t last_steps, last_executions;
    bool stepped = shared->steps != last_steps || shared->executions != last_executions;
    last_steps = shared->steps;
    last_executions = shared->executions;
    return stepped;
}

static bool is_power_of_two(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

/* Code of a specification is short, and nothing else limits it. */
static void watch_quiet_code(void)
{
    enum { CODE_MS = PROTOCOL_COMPUTE_MS };
    static uint64_t number;
    static uint32_t ticks;
    ticks = calls_are_quiet() && calls_code.number == number ? ticks + 1 : 0;
    number = calls_code.number;
    if (ticks * tick_ms > CODE_MS)
        calls_refuse_code("does not end");
}

/* No step for a while although the processor was busy: a loop that does not end, or a long computation. Which one
 * is looked forever more rarely. */
static void on_tick(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    if (endless_is_searching())
        return;
    watch_quiet_code();
    bool stepped = has_stepped();
    still = in_execution() && !stepped ? still + 1 : 0;
    if (!in_program() || stepped)
        quiet = 0;
    else if (++quiet >= ticks_max)
        engine_stop(is_running_thread(context) ? pc_of(context) : NULL,
                    "no visible step of T%u for %g s of processor time", engine_current(),
                    ticks_max * tick_ms / 1000.0);
    if (still >= TICKS_FIRST_SEARCH && is_power_of_two(still) && is_running_thread(context))
        endless_begin(context, still < SEARCH_MOST / SEARCH_PER_TICK ? still * SEARCH_PER_TICK : SEARCH_MOST);
}

/* The tool has seen that the process is asleep: a library, or a call that the runtime does not replace, waits for
 * something outside. */
static void on_blocked(int number, siginfo_t *info, void *context)
{
    struct blocked_place place;
    (void)number;
    (void)info;
    if (!in_program())
        return;
    engine_active = false;
    shared->is_blocked = true;
    if (is_running_thread(context) && blocked_is_program(pc_of(context)))
        engine_stop(pc_of(context), "the process is blocked in a system call that no library makes");
    blocked_find(&place);
    engine_stop(place.pc, "the process is blocked in %s%s%s, where %s",
                *place.function ? place.function : place.library, *place.function ? " of " : "",
                *place.function ? place.library : "",
                known_is_openmp(place.library) ? KNOWN_OPENMP : "nothing of it can be controlled");
}

/* Others do not come before a thread that never takes a step. */
static const char NOT_ATOMIC[] =
    ". What it reads is not atomic: another thread that is to end the loop by writing "
    "it would race with it (--races=allow takes that for a loop that waits)";

static _Noreturn void fail_endless(ucontext_t *context)
{
    static const char format[] = "T%u runs in a loop without a visible step: after %u instructions "
                                 "registers, stack and memory are the "
                                 "same again%s";
    if (!endless_reads() || engine_allows_races())
        engine_fail(WORKER_ERROR_RUNAWAY, 0, endless_place(), format, engine_current(), endless_period(), "");
    quiet = still = 0;
    endless_stop(context); /* it does not go on, but others do */
    engine_fail_unless_race(WORKER_ERROR_RUNAWAY, endless_place(), format, engine_current(), endless_period(),
                            NOT_ATOMIC);
}

/* Another instruction was run while looking for an endless loop. */
static void on_trap(int number, siginfo_t *info, void *context)
{
    if (!endless_is_searching() || info->si_code != TRAP_TRACE) {
        on_crash(number, info, context);
        return;
    }
    bool stepped = has_stepped();
    if (stepped || (!in_program() && !endless_skip())) {
        quiet = 0;
        still = stepped ? 0 : still;
        endless_stop(context);
        return;
    }
    if (!in_program())
        return;            /* a hook that writes down more about the access than the program knows of */
    engine_active = false; /* our own copying is not the program's */
    enum endless_answer answer = endless_step(context);
    engine_active = true;
    if (answer == ENDLESS_AGAIN && !engine_suspect_own_reads())
        fail_endless(context);
    if (answer == ENDLESS_NO_EXIT)
        engine_fail(WORKER_ERROR_RUNAWAY, 0, endless_place(),
                    "T%u runs in a loop without a visible step and without a way out: its code has no branch",
                    engine_current());
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaction(number, &action, NULL);
}

/* A replay takes the time that it takes: it has been known to end. */
static void start_ticking(const struct worker_config *c)
{
    uint32_t limit = c->compute_ms ? c->compute_ms : PROTOCOL_COMPUTE_MS;
    tick_ms = limit / TICKS_LEAST;
    tick_ms = tick_ms == 0 ? 1 : tick_ms > TICK_MS_MOST ? TICK_MS_MOST : tick_ms;
    ticks_max = c->mode == WORKER_REPLAY ? UINT32_MAX : (limit + tick_ms - 1) / tick_ms;
    struct itimerval tick = {{0, tick_ms * 1000}, {0, tick_ms * 1000}};
    handle(SIGVTALRM, on_tick);
    handle(SIGTRAP, on_trap);
    setitimer(ITIMER_VIRTUAL, &tick, NULL);
}

void signals_install(struct worker_shared *s)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    stack_t stack = {.ss_sp = alt_stack, .ss_size = sizeof alt_stack};
    shared = s;
    sigaltstack(&stack, NULL);
    for (size_t k = 0; k < sizeof crashes / sizeof *crashes; k++)
        handle(crashes[k], on_crash);
    handle(PROTOCOL_BLOCKED_SIGNAL, on_blocked);
    if (!s->config.debugger) /* a person who debugs the program takes the time it takes */
        start_ticking(&s->config);
}

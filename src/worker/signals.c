/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/signals.h"

#include "engine/engine.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { ALT_STACK = 1 << 16, TICK_MS = 500, TICKS_WITHOUT_STEP = 4 };

static struct worker_shared *shared;
static char alt_stack[ALT_STACK];

static const void *pc_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const void *)(context->uc_mcontext.gregs[REG_RIP] + 1); /* lines are looked up at pc - 1 */
#else
    return (const void *)(context->uc_mcontext.pc + 1);
#endif
}

/* Is program code running, in the set-up of a harness or in the execution proper? */
static bool in_program(void)
{
    return (shared->state == WORKER_RUNNING || shared->state == WORKER_SETUP) && engine_active;
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    uint64_t address = number == SIGSEGV || number == SIGBUS ? (uint64_t)info->si_addr : 0;
    const void *pc = pc_of(context);
    if (!in_program()) {
        signal(number, SIG_DFL); /* not the program's step: let the tool see it */
        raise(number);
        return;
    }
    if (number == SIGSEGV && engine_is_stack_guard(address))
        engine_fail_stack(address, pc);
    engine_fail(WORKER_ERROR_CRASH, address, pc, "signal %d (%s)", number, sigabbrev_np(number));
}

/* No step for a while although the processor was busy: a loop that does not end. */
static void on_tick(int number, siginfo_t *info, void *context)
{
    static uint64_t last_steps, last_executions;
    static int quiet;
    (void)number;
    (void)info;
    if (!in_program() || shared->steps != last_steps || shared->executions != last_executions) {
        last_steps = shared->steps;
        last_executions = shared->executions;
        quiet = 0;
        return;
    }
    if (++quiet >= TICKS_WITHOUT_STEP)
        engine_fail(WORKER_ERROR_RUNAWAY, 0, pc_of(context), "T%u runs in a loop without a visible step",
                    engine_current());
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaction(number, &action, NULL);
}

void signals_install(struct worker_shared *s)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    stack_t stack = {.ss_sp = alt_stack, .ss_size = sizeof alt_stack};
    struct itimerval tick = {{0, TICK_MS * 1000}, {0, TICK_MS * 1000}};
    shared = s;
    sigaltstack(&stack, NULL);
    for (size_t k = 0; k < sizeof crashes / sizeof *crashes; k++)
        handle(crashes[k], on_crash);
    if (s->config.debugger)
        return; /* whoever looks at the program takes the time it takes */
    handle(SIGVTALRM, on_tick);
    setitimer(ITIMER_VIRTUAL, &tick, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Threads go on: from a hook to the next that others can notice. All of them run on the one thread of the process, one after the
 * other, each on its stack. */
#include "prove/prove_buffers.h"
#include "prove/prove_rounds.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <xmmintrin.h>

bool prove_active;
struct prove_registers *prove_self;
uint64_t prove_scheduler, prove_junk;
struct plumb_argument prove_arguments[PLUMB_ARGUMENTS_MAX];

static const unsigned LOCAL_MOST = 1 << 16; /* accesses in one step that no other thread notices */

enum prove_outcome prove_note(enum prove_outcome outcome, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(prove.problem, sizeof prove.problem, format, list);
    va_end(list);
    return outcome;
}

void prove_note_doubt(const char *what)
{
    if (!prove.has_doubt)
        snprintf(prove.doubt, sizeof prove.doubt, "%s", what);
    prove.has_doubt = true;
}

/* --- program code ------------------------------------------------------------------------------------------------ */

/* Threads have their own, which is no part of states. */
enum { FLOATING_CONTROL = 0x1f80, FLOATING_FLAGS = 0x3f };

static void look_at_control(struct prove_thread *t)
{
    if ((_mm_getcsr() & ~(unsigned)FLOATING_FLAGS) == FLOATING_CONTROL)
        return;
    t->registers.hook = PROVE_CRASHED;
    t->registers.arguments[0] =
        prove_note(PROVE_UNSURE, "an operation changes how floating-point numbers are rounded");
    _mm_setcsr(FLOATING_CONTROL);
}

static uint64_t stored_word(void)
{
    uint64_t word = 0;
    if (prove.stored.is_buffered)
        memcpy(&word, (void *)prove.stored.address, prove.stored.size);
    return word;
}

/* A plain store was made by the code itself: it is taken back, and goes to the buffer. */
static void take_store(unsigned thread, uint64_t before)
{
    uint64_t now = stored_word();
    if (prove.stored.is_buffered)
        memcpy((void *)prove.stored.address, &before, prove.stored.size);
    prove_buffer_hide(thread);
    if (prove.stored.is_buffered) {
        prove_buffer_add(thread, prove.stored.address, now, prove.stored.size);
        prove.stored.size = prove.stored.is_buffered = 0;
    }
}

/* Runs until the next hook. */
static void resume(unsigned thread, uint64_t rax, uint64_t rdx)
{
    struct prove_program *p = &prove.program;
    struct prove_thread *t = &prove.state.threads[thread];
    if (p->tls_size)
        memcpy(p->tls, prove.state.tls[thread], p->tls_size);
    prove_self = &t->registers;
    prove_junk = prove_litter();
    _mm_setcsr(FLOATING_CONTROL);
    prove_buffer_show(thread);
    uint64_t before = stored_word();
    prove_active = true;
    prove_resume(&t->registers, rax, rdx);
    prove_active = false;
    take_store(thread, before);
    look_at_control(t);
    prove.steps++;
    if (p->tls_size)
        memcpy(prove.state.tls[thread], p->tls, p->tls_size);
}

/* What is below the stack pointer is not used, but has to be the same in every run. */
static void clean_stack(unsigned thread)
{
    enum { BYTES = 4096 };
    uint64_t sp = prove.state.threads[thread].registers.sp,
             base = prove_stack_top(thread) - PROVE_STACK_MAPPED;
    uint64_t from = sp - base > BYTES ? sp - BYTES : base;
    memset((void *)from, prove.state.dialect->litter, sp - from);
}

/* A plain store happens after its hook: only now it is known what was written. */
static void look_at_stored(unsigned thread)
{
    unsigned size = prove.stored.size;
    prove.stored.size = 0;
    if (size && prove_find(thread, prove.stored.address, size, true) == PROVE_SHARED)
        prove_look_at_written(thread, prove.stored.address, size);
}

struct prove_result prove_end_operation(unsigned thread)
{
    struct prove_thread *t = &prove.state.threads[thread];
    struct prove_result r = {.has_returned = true, .value = t->registers.arguments[0]};
    *t = (struct prove_thread){0};
    return r;
}

/* On the way to the next step. */
struct going {
    unsigned thread;
    uint64_t rax, rdx;
    struct prove_result result;
};

/* Nothing is left of the operation but its answer and its buffer. */
static void wait_for_buffer(unsigned thread)
{
    struct prove_registers *r = &prove.state.threads[thread].registers;
    *r = (struct prove_registers){.hook = PROVE_RETURNED,
                                  .pc = (uint64_t)prove_returned,
                                  .sp = prove_stack_top(thread) - PROVE_WORD,
                                  .arguments = {r->arguments[0]}};
}

/* To the next hook. False: there the step ends, with `result`. */
static bool go_to_hook(void *context)
{
    struct going *g = context;
    struct prove_thread *t = &prove.state.threads[g->thread];
    resume(g->thread, g->rax, g->rdx);
    look_at_stored(g->thread);
    if (t->registers.hook == PROVE_RETURNED && t->buffer.count) {
        wait_for_buffer(g->thread);
        return false;
    }
    if (t->registers.hook == PROVE_RETURNED) {
        g->result = prove_end_operation(g->thread);
        return false;
    }
    if (t->registers.hook == PROVE_CRASHED) {
        g->result.outcome = (enum prove_outcome)t->registers.arguments[0];
        return false;
    }
    if (prove.is_searching && prove_is_step(g->thread) && !prove_merge_goes_on(g->thread))
        return false;
    enum prove_outcome outcome = prove_perform(g->thread, NULL, &g->rax, &g->rdx);
    while (outcome == PROVE_PARTLY)
        outcome = prove_perform(g->thread, NULL, &g->rax, &g->rdx);
    g->result.outcome = outcome;
    return outcome == PROVE_FINE;
}

/* From what the thread has just done to the next step. */
static struct prove_result go_on(unsigned thread, uint64_t rax, uint64_t rdx)
{
    struct going g = {.thread = thread, .rax = rax, .rdx = rdx};
    for (unsigned i = 0; i < LOCAL_MOST; i++)
        if (!go_to_hook(&g))
            return g.result;
    return (struct prove_result){
        .outcome =
            prove.is_searching && prove_rounds_by_forms(go_to_hook, &g)
                ? prove_rounds_fault()
                : prove_note(PROVE_UNSURE, "a step that goes on and on without touching what threads share")};
}

static void enter(unsigned thread, plumb_value (*run)(const struct plumb_argument *), uint64_t argument)
{
    struct prove_registers *r = &prove.state.threads[thread].registers;
    uint64_t *top = (uint64_t *)(prove_stack_top(thread) - 2 * PROVE_LINE);
    uint64_t dead = prove_litter();
    *r = (struct prove_registers){.pc = (uint64_t)run,
                                  .sp = (uint64_t)(top - 1),
                                  .arguments = {argument},
                                  .saved = {dead, dead, dead, dead, dead, dead}};
    clean_stack(thread);
    memset(top, 0, 2 * PROVE_LINE);
    top[-1] = (uint64_t)prove_returned;
}

struct prove_result prove_begin(unsigned thread, unsigned op, const int64_t *numbers)
{
    struct plumb_argument *arguments = prove_arguments;
    for (unsigned i = 0; i < prove_operations[op].argument_count; i++)
        arguments[i].number = numbers[i];
    prove.state.threads[thread].is_open = true;
    prove.state.threads[thread].op = (uint8_t)op;
    enter(thread, prove_operations[op].part->run, (uint64_t)arguments);
    return go_on(thread, 0, 0);
}

struct prove_result prove_step(unsigned thread, struct prove_block *reuse)
{
    uint64_t rax, rdx;
    if (prove_buffer_delays(thread))
        return (struct prove_result){.outcome = PROVE_BLOCKED};
    clean_stack(thread);
    prove_merge_begin(thread);
    enum prove_outcome outcome = prove_perform(thread, reuse, &rax, &rdx);
    struct prove_result result = {.outcome = outcome == PROVE_PARTLY ? PROVE_FINE : outcome};
    if (outcome == PROVE_FINE)
        result = go_on(thread, rax, rdx);
    prove_merge_end();
    return result;
}

enum prove_outcome prove_run_whole(unsigned thread, plumb_value (*run)(const struct plumb_argument *))
{
    enter(thread, run, 0);
    return go_on(thread, 0, 0).outcome;
}

/* A constructor of the program calls a hook: nothing else runs yet. */
uint64_t prove_at_once(unsigned hook, const uint64_t *arguments, uint64_t *rdx)
{
    uint64_t rax = 0;
    struct prove_registers *r = &prove.state.threads[0].registers;
    r->hook = hook;
    memcpy(r->arguments, arguments, sizeof r->arguments);
    enum prove_outcome outcome = prove_perform(0, NULL, &rax, rdx);
    while (outcome == PROVE_PARTLY)
        outcome = prove_perform(0, NULL, &rax, rdx);
    if (outcome == PROVE_UNSURE && prove_kind(hook) >= PROVE_MALLOC)
        prove_refuse("before the search begins: %s", prove.problem);
    prove.stored.size = 0;
    *r = (struct prove_registers){0};
    return rax;
}

/* --- crashes and endless loops -------------------------------------------------------------------------------------- */

/* The thread is left where it is, and the search goes on. */
static void leave_program(ucontext_t *context, enum prove_outcome outcome)
{
    prove_self->hook = PROVE_CRASHED;
    prove_self->arguments[0] = outcome;
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)prove_leave;
}

/* False: rounds are not watched. */
static bool look_at_rounds(ucontext_t *context)
{
    enum prove_rounds rounds = prove_rounds_trap(context);
    if (rounds == PROVE_ROUNDS_NONE)
        return false;
    if (rounds == PROVE_ROUNDS_GO_ON && prove_active)
        return true;
    prove_rounds_end(context);
    if (!prove_active) /* it has come to a hook */
        return true;
    leave_program(context,
                  rounds == PROVE_ROUNDS_ENDLESS
                      ? prove_rounds_fault()
                      : prove_note(PROVE_UNSURE,
                                   "a step that computes for seconds without touching what threads share"));
    return true;
}

static void on_crash(int signal, siginfo_t *info, void *context)
{
    if (signal == SIGTRAP && look_at_rounds(context))
        return;
    if (!prove_active) { /* ours */
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(signal, &usual, NULL);
        return;
    }
    if ((uint64_t)info->si_addr - (prove.state.dialect->stacks - PROVE_STACK_BYTES) <
        (PROVE_THREADS_MAX + 1) * (uint64_t)PROVE_STACK_BYTES) {
        prove_note(PROVE_UNSURE, "an operation needs more than %d bytes of stack", PROVE_STACK_MAPPED);
        leave_program(context, PROVE_UNSURE);
        return;
    }
    prove_note(PROVE_FAULT, "the program crashes (%s)", strsignal(signal));
    leave_program(context, PROVE_FAULT);
}

static void on_tick(int signal, siginfo_t *info, void *context)
{
    static uint64_t last;
    static unsigned same;
    (void)signal, (void)info;
    same = prove.steps == last ? same + 1 : 0;
    last = prove.steps;
    enum { TICKS = 3 };
    if (prove_active && same >= TICKS)
        prove_rounds_begin(context);
}

void prove_watch_open(void)
{
    static uint8_t stack[1 << 16];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternative, NULL);
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    struct sigaction act = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &act, NULL);
    act.sa_sigaction = on_tick;
    act.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(SIGALRM, &act, NULL);
    struct itimerval each = {{0, 100000}, {0, 100000}};
    if (!prove.shared->question.debugger)
        setitimer(ITIMER_REAL, &each, NULL);
}

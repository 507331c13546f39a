/* SPDX-License-Identifier: Apache-2.0 */
/* Executions and their threads: beginning and end. */
#include "base/check.h"
#include "base/memory.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/engine.h"
#include "engine/engine_quick.h"
#include "engine/error/findings.h"
#include "engine/error/origins.h"
#include "engine/memory/mappings.h"
#include "engine/graph_mode/plain_steps.h"

/* ------------------------------------------------------------------ threads */

/* engine_note, of what always has an effect. */
static inline void note(enum event_kind kind, uint64_t thread, const void *pc)
{
    spin_effect(&engine.running->spin);
    engine_add_event(kind, kind == EVENT_JOIN ? thread : 0, 0, ORDER_PLAIN, 0, thread, pc);
}

/* With what is in its frame the loops of the thread's function are recognised: it is to be what the thread put there, not what
 * another execution or the runtime left. No call: that would leave something there, too. */
static inline __attribute__((always_inline)) void wipe_below(void)
{
    enum { BELOW = 1 << 10 };
    typedef uint64_t piece __attribute__((vector_size(16)));
    volatile piece *sp;
#if defined(__x86_64__)
    __asm__ volatile("mov %%rsp, %0" : "=r"(sp));
#else
    __asm__ volatile("mov %0, sp" : "=r"(sp));
#endif
    for (size_t k = 1; k <= BELOW / sizeof *sp; k++)
        sp[-(ptrdiff_t)k] = (piece){0};
}

static void thread_main(void *argument)
{
    struct thread *t = argument;
    live_set_modes(t->live.modes);
    engine_active = true;
    note(EVENT_BEGIN, 0, NULL);
    wipe_below();
    engine_exit_thread(t->entry(t->argument));
}

static struct thread *add_thread(uint32_t number, void *(*entry)(void *), void *argument)
{
    if (number >= THREADS_MAX) {
        engine.shared->limits |= LIMIT_THREADS;
        engine_end(PORT_CUT);
    }
    if (number >= engine.count)
        engine.count = number + 1;
    struct thread *t = &engine.threads[number];
    if (!t->has_fiber && !fiber_create(&t->fiber, number)) {
        if (number == 0)
            base_out_of_memory();
        engine_give_up(NULL, "more threads than the system allows");
    }
    t->has_fiber = true;
    t->limited = t->spins = t->wants_more_stack = false;
    t->found = 0;
    t->touched = 0;
    t->spurious.count = 0;
    t->marked = 0;
    t->creator = engine.current;
    t->claimed = 0;
    t->is_visited = engine_graph_mode && graph_mode_is_visited(number);
    t->entry = entry;
    t->argument = argument;
    t->spin.stack_base = (uint64_t)t->fiber.stack + t->fiber.stack_size;
    t->spin.mark_pc = 0;
    t->within = 0;
    live_begin(&t->live, &t->spin, number == 0);
    undo_forget(&t->undo);
    spin_effect(&t->spin);
    engine.alive |= thread_bit(number);
    engine.shared->thread_count = engine.count;
    frames_begin(t);
    fiber_reset_storage(&t->fiber);
    fiber_prepare(&t->fiber, thread_main, t);
    return t;
}

uint32_t engine_create(void *(*entry)(void *), void *argument, const void *pc)
{
    engine_step_inline(EVENT_CREATE, 0, 0, pc);
    engine_active = false;
    uint32_t number = engine_graph_mode ? engine.answered_thread : engine.count;
    struct thread *t = add_thread(number, entry, argument);
    engine.next[number] = (struct port_action){.thread = (uint16_t)number, .kind = EVENT_BEGIN};
    t->pc = (uint64_t)pc;
    if (!engine_graph_mode)
        clocks_fork(engine.clocks, engine.current, number);
    note(EVENT_CREATE, number, pc);
    engine_active = true;
    return number;
}

void engine_finish(void)
{
    engine.next[engine.current].operand = true; /* the process ends */
    engine_step_inline(EVENT_END, 0, 0, NULL);
    engine_active = false;
    note(EVENT_END, 0, NULL);
    engine_end(PORT_COMPLETE);
}

static void wake_joiners(uint32_t ended)
{
    for (uint64_t left = engine.joining; left; left &= left - 1)
        if (engine.next[__builtin_ctzll(left)].address == ended)
            engine.joining &= ~(left & -left);
}

void engine_exit_thread(void *result)
{
    if (engine_at_thread_end)
        engine_at_thread_end(engine.current);
    engine_step_inline(EVENT_END, 0, 0, NULL);
    engine_active = false;
    frames_end_thread();
    engine.running->result = result;
    engine.alive &= ~thread_bit(engine.current);
    note(EVENT_END, 0, NULL);
    if (engine.alive == 0)
        engine_end(PORT_COMPLETE);
    wake_joiners(engine.current);
    engine_schedule();
    CHECK(!"an ended thread goes on");
    __builtin_unreachable();
}

bool engine_is_own_stack(uint64_t address)
{
    return fiber_has_on_stack(&engine.running->fiber, address);
}

bool engine_is_stack(uint64_t address)
{
    for (uint32_t t = 0; t < engine.count; t++)
        if (fiber_has_on_stack(&engine.threads[t].fiber, address))
            return true;
    return false;
}

void engine_want_stack(uint32_t thread, size_t size)
{
    struct thread *t = &engine.threads[thread];
    t->wants_more_stack = size > t->fiber.stack_size;
}

bool engine_find_stack(uint64_t thread, void **from, size_t *size)
{
    if (thread >= engine.count)
        return false;
    *from = engine.threads[thread].fiber.stack;
    *size = engine.threads[thread].fiber.stack_size;
    return true;
}

void engine_fail_stack(uint64_t address, const void *pc)
{
    if (engine.running->wants_more_stack)
        engine_give_up(pc, "a stack of more than %zu MiB", engine.running->fiber.stack_size >> 20);
    engine_fail(WORKER_ERROR_STACK_OVERFLOW, address, pc, "the stack of T%u is exhausted", engine.current);
}

bool engine_is_stack_guard(uint64_t address)
{
    for (uint32_t t = 0; t < engine.count; t++)
        if (fiber_is_guard(&engine.threads[t].fiber, address))
            return true;
    return false;
}

bool engine_has_ended(uint32_t thread)
{
    return !(engine.alive & thread_bit(thread));
}

void *engine_join(uint32_t thread, const void *pc)
{
    engine_active = false;
    engine_announce(EVENT_JOIN, thread, 0, pc);
    if (!engine_has_ended(thread))
        engine.joining |= thread_bit(engine.current);
    if (__builtin_expect(engine_graph_mode, false))
        graph_mode_settle();
    engine_schedule();
    engine_active = true;
    if (!engine_graph_mode)
        clocks_join(engine.clocks, engine.current, thread);
    note(EVENT_JOIN, thread, pc);
    return engine.threads[thread].result;
}

/* ------------------------------------------------------------------ executions */

static void *run_body(void *argument)
{
    (void)argument;
    heap_report_early();
    engine.body(engine.body_argument);
    engine_finish(); /* the return of thread 0 is the end of the process */
}

void engine_prepare(struct worker_shared *shared, struct explorer *explorer)
{
    engine.shared = shared;
    engine.keeps_plain = shared->config.all_events;
    engine.refuses_unwritten = shared->config.choices & CHOICE_UNINITIALISED;
    engine.is_shown = shared->config.mode == WORKER_REPLAY;
    if (engine.is_shown)
        origins_copy_early(shared);
    engine.all_seq_cst = shared->config.all_seq_cst;
    engine.explorer = explorer;
    engine.clocks = clocks_create();
    if (shared->config.races)
        clocks_go_on(engine.clocks);
    if (shared->config.debugger)
        fiber_use_threads();
    engine.running = &engine.threads[0];
    spin_switch(&engine.running->spin);
    fiber_adopt_caller(&engine.controller);
    if (explorer->class->advance)
        graph_mode_prepare();
    else
        plain_steps_prepare();
}

void engine_change_explorer(struct explorer *explorer)
{
    engine.explorer = explorer;
    engine_graph_mode = explorer->class->advance != NULL;
    if (engine_graph_mode)
        graph_mode_prepare();
    else
        plain_steps_prepare(); /* plain accesses are steps of graphs only */
}

struct explorer *engine_explorer(void)
{
    return engine.explorer;
}

static void begin_execution(void)
{
    struct worker_shared *s = engine.shared;
    engine.count = engine.current = 0;
    engine.alive = engine.waiting = engine.joining = engine.failed = 0;
    engine.errors = 0;
    engine.refuted = false;
    failure_begin();
    engine.section_owner = 0;
    engine.section_lock = 0;
    findings_begin();
    engine.running = &engine.threads[0];
    spin_switch(&engine.running->spin);
    engine.steps_left = s->config.step_limit;
    s->event_count = s->events_lost = s->array_count = 0;
    if (s->config.mode != WORKER_REPLAY)
        s->choice_count = s->choices_lost = 0;
    s->event_hash = 0;
    clocks_reset(engine.clocks);
    heap_reset();
    frames_reset();
    mappings_reset();
    image_restore_all();
    if (engine_graph_mode)
        graph_mode_begin();
}

enum port_outcome engine_run(void (*body)(void *), void *argument)
{
    begin_execution();
    struct thread *t = add_thread(0, run_body, NULL);
    engine.body = body;
    engine.body_argument = argument;
    engine.shared->state = WORKER_RUNNING;
    fiber_switch(&engine.controller, &t->fiber);
    engine_active = false;
    engine.shared->state = WORKER_JUDGING;
    return engine.outcome;
}

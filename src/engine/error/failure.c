/* SPDX-License-Identifier: Apache-2.0 */
/* What is reported about an execution that went wrong, and the end of the worker. */
#include "engine/graph_mode/graph_mode.h"
#include "engine/engine.h"
#include "engine/engine_state.h"
#include "engine/error/findings.h"
#include "engine/loop/loops.h"
#include "engine/memory/snapshot.h"
#include "engine/shared/worker_result.h"
#include "explore/graphs.h"

#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>

enum { FRAMES = 64 };

void call_stack_capture(struct worker_stack *stack, const void *pc)
{
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES);
    stack->count = 0;
    if (pc && !snapshot_is_runtime_code(pc))
        stack->pcs[stack->count++] = (uint64_t)pc;
    bool past = !pc; /* skip the runtime's own frames, up to the one that `pc` names */
    for (int k = 0; k < count && stack->count < PROTOCOL_STACK; k++) {
        if (!past) {
            past = frames[k] == pc || (const char *)frames[k] + 1 == pc; /* an interrupted instruction */
            continue;
        }
        if (snapshot_is_program(frames[k]))
            stack->pcs[stack->count++] = (uint64_t)frames[k];
    }
}

static void set_error(enum worker_error_kind kind, uint64_t address)
{
    engine.shared->error.kind = kind;
    engine.shared->error.phase = engine.shared->state;
    engine.shared->error.address = address;
}

/* Are there executions after this error, or, in a replay, errors after it? Without its serial executions a test has no
 * specification. */
static bool goes_on(void)
{
    const struct worker_config *c = &engine.shared->config;
    if (worker_is_serial(c))
        return false;
    return c->mode == WORKER_REPLAY ? engine.errors < c->errors_passed : c->all_errors;
}

bool engine_keep_error(void)
{
    struct worker_shared *s = engine.shared;
    if (!goes_on())
        return false;
    if (s->config.mode != WORKER_REPLAY) {
        graph_mode_record();
        findings_add(s);
    }
    engine.errors++;
    s->error = (struct worker_error){0};
    s->history_length = s->stuck_length = s->judged_partly = s->calls.count = 0;
    return true;
}

bool engine_had_error(void)
{
    return engine.errors > 0;
}

static _Noreturn void end_worker(enum worker_state state)
{
    graph_mode_record();
    engine.shared->state = state;
    plumb_debug_error();
    worker_result_end(engine.shared, state);
}

/* What was found while another thread was in an atomic section, or where one is torn: whether there is such an
 * execution is known when it is over. And a thread that waits in vain for plain memory. */
static struct worker_error deferred;

static _Noreturn void defer_error(void)
{
    if (deferred.kind == WORKER_ERROR_NONE)
        deferred = engine.shared->error;
    engine.shared->error = (struct worker_error){0};
    engine_halt_thread(PORT_BOUNDED);
}

void failure_begin(void)
{
    deferred.kind = WORKER_ERROR_NONE;
}

void engine_report_deferred(void)
{
    if (deferred.kind == WORKER_ERROR_NONE || !engine_sections_stand())
        return;
    engine.shared->error = deferred;
    deferred.kind = WORKER_ERROR_NONE;
    if (!engine_keep_error())
        end_worker(WORKER_FOUND);
}

static _Noreturn void finish(enum worker_state state, enum worker_error_kind kind, uint64_t address)
{
    const uint32_t now = engine.shared->state;
    set_error(kind, address);
    bool stuck = kind == WORKER_ERROR_DEADLOCK || kind == WORKER_ERROR_PROGRESS;
    bool deferrable = state == WORKER_FOUND && kind != WORKER_ERROR_RACE && !stuck;
    if (deferrable && (now == WORKER_RUNNING || now == WORKER_SETUP) && !engine_sections_stand())
        defer_error();
    if (state == WORKER_FOUND && (now == WORKER_RUNNING || now == WORKER_SETUP) && engine_keep_error()) {
        if (stuck)
            engine_end(PORT_BLOCKED);
        engine_halt_thread(PORT_BOUNDED | PORT_FAILED);
    }
    end_worker(state);
}

void failure_end(enum worker_error_kind kind, uint64_t address)
{
    finish(WORKER_FOUND, kind, address);
}

static void describe(const void *pc, const char *format, va_list args)
{
    struct worker_error *error = &engine.shared->error;
    engine_active = false;
    vsnprintf(error->message, sizeof error->message, format, args);
    if (!error->stack_count)
        error->stack_count = 1;
    error->stacks[0].thread = engine.current;
    call_stack_capture(&error->stacks[0], pc);
}

void failure_describe(enum worker_error_kind kind, uint64_t address, const void *pc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    describe(pc, format, args);
    va_end(args);
    set_error(kind, address);
}

void engine_fail(enum worker_error_kind kind, uint64_t address, const void *pc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    describe(pc, format, args);
    va_end(args);
    finish(WORKER_FOUND, kind, address);
}

static bool others_may_run(void)
{
    return engine.alive & ~engine.failed & ~thread_bit(engine.current);
}

void engine_fail_unless_race(enum worker_error_kind kind, const void *pc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    describe(pc, format, args);
    va_end(args);
    set_error(kind, 0);
    if (engine.shared->state == WORKER_RUNNING && !worker_is_serial(&engine.shared->config) &&
        others_may_run())
        defer_error();
    finish(WORKER_FOUND, kind, 0);
}

void engine_fail_at_end(enum worker_error_kind kind, uint64_t address, const void *pc, const char *format,
                        ...)
{
    va_list args;
    va_start(args, format);
    describe(pc, format, args);
    va_end(args);
    set_error(kind, address);
    if (!engine_keep_error())
        finish(WORKER_FOUND, kind, address);
}

void engine_stop(const void *pc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    describe(pc, format, args);
    va_end(args);
    finish(WORKER_GAVE_UP, WORKER_ERROR_NONE, 0);
}

void engine_name_second(uint32_t thread, const void *pc)
{
    struct worker_error *error = &engine.shared->error;
    error->stack_count = 2;
    error->stacks[1] = (struct worker_stack){.thread = thread, .count = 1, .pcs = {(uint64_t)pc}};
}

/* ------------------------------------------------------------------ deadlocks */

enum { NO_THREAD = UINT32_MAX };

/* The thread that holds a lock another one waits for: the last one that took it and did not give it back. */
static uint32_t find_holder(uint64_t lock)
{
    uint64_t gave_back = 0;
    for (uint32_t k = engine.shared->event_count; k-- > 0;) {
        const struct event *e = &engine.shared->events[k];
        if (e->address != lock)
            continue;
        if (e->kind == EVENT_UNLOCK || e->kind == EVENT_READ_UNLOCK)
            gave_back |= thread_bit(e->thread);
        bool took =
            e->kind == EVENT_LOCK || e->kind == EVENT_READ_LOCK || (e->kind == EVENT_TRYLOCK && e->value);
        if (took && !(gave_back & thread_bit(e->thread)))
            return e->thread;
    }
    return NO_THREAD;
}

/* No such step waits; and a lock that is free is taken, but by a thread that is held because it comes back to it. */
static bool goes_round(uint32_t thread, uint32_t blocker)
{
    const struct port_action *next = &engine.next[thread];
    struct worker_round round;
    bool is_lock = next->kind == EVENT_LOCK || next->kind == EVENT_READ_LOCK;
    bool waits_not = next->kind == EVENT_READ || next->kind == EVENT_WRITE || next->kind == EVENT_UPDATE ||
                     next->kind == EVENT_FENCE || next->kind == EVENT_UNLOCK ||
                     next->kind == EVENT_READ_UNLOCK || next->kind == EVENT_TRYLOCK;
    if (engine.failed & thread_bit(thread) || !(waits_not || (is_lock && blocker == NO_THREAD)))
        return false;
    loops_find_round(thread, &round);
    return round.count > 0;
}

static enum worker_waiting keep_round(uint32_t thread)
{
    struct worker_error *error = &engine.shared->error;
    if (error->round_count < PROTOCOL_ROUNDS)
        loops_find_round(thread, &error->rounds[error->round_count++]);
    return engine.threads[thread].spins ? WAITING_IN_SPIN : WAITING_IN_ROUND;
}

/* The thread that `thread` waits for, when that is known. */
static uint32_t find_blocker(uint32_t thread)
{
    const struct port_action *next = &engine.next[thread];
    if (engine.threads[thread].spins || engine.failed & thread_bit(thread))
        return NO_THREAD;
    if (next->kind == EVENT_JOIN)
        return (uint32_t)next->address;
    if (next->kind == EVENT_LOCK || next->kind == EVENT_READ_LOCK)
        return engine.shared->events_lost ? NO_THREAD : find_holder(next->address);
    return NO_THREAD;
}

/* Threads that have something left to do: an end that was not asked for is no wait, unless the thread is held in a round
 * that code without hooks has ended. */
static uint64_t find_waiting(void)
{
    uint64_t waiting = engine.alive;
    for (uint64_t left = engine.alive & ~engine.failed; left; left &= left - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(left);
        if (engine.next[t].kind == EVENT_END && !engine.threads[t].spins)
            waiting &= ~thread_bit(t);
    }
    return waiting ? waiting : engine.alive;
}

/* A thread on a cycle of waiting, or NO_THREAD. */
static uint32_t find_cycle(const uint32_t *blockers)
{
    for (uint32_t start = 0; start < engine.count; start++) {
        uint64_t seen = 0;
        uint32_t t = start;
        while (t < engine.count && (engine.alive & thread_bit(t)) && !(seen & thread_bit(t))) {
            seen |= thread_bit(t);
            t = blockers[t];
        }
        if (t < engine.count && (seen & thread_bit(t)))
            return t;
    }
    return NO_THREAD;
}

/* The thread to report first: one on a cycle, else one that waits for something else than a thread's
 * end. */
static uint32_t find_culprit(const uint32_t *blockers)
{
    uint32_t culprit = find_cycle(blockers);
    uint64_t waiting = find_waiting();
    for (uint32_t t = 0; culprit == NO_THREAD && t < engine.count; t++)
        if ((waiting & thread_bit(t)) && engine.next[t].kind != EVENT_JOIN)
            culprit = t;
    return culprit != NO_THREAD ? culprit : (uint32_t)__builtin_ctzll(waiting);
}

static uint32_t find_second(uint32_t culprit, const uint32_t *blockers)
{
    uint32_t second = blockers[culprit];
    if (second < engine.count && second != culprit && (engine.alive & thread_bit(second)))
        return second;
    uint64_t others = find_waiting() & ~thread_bit(culprit);
    for (uint64_t left = others; left;
         left &= left - 1) /* rather one that does not wait for a thread's end */
        if (engine.next[__builtin_ctzll(left)].kind != EVENT_JOIN)
            return (uint32_t)__builtin_ctzll(left);
    return others ? (uint32_t)__builtin_ctzll(others) : NO_THREAD;
}

static enum worker_waiting find_reason(uint32_t t, uint32_t blocker)
{
    if (engine.failed & thread_bit(t))
        return engine.refuted ? WAITING_REFUTED : WAITING_AFTER_ERROR;
    if (engine.threads[t].spins || goes_round(t, blocker))
        return keep_round(t);
    if (engine.next[t].kind == EVENT_JOIN)
        return WAITING_FOR_THREAD;
    if (blocker != NO_THREAD)
        return WAITING_FOR_LOCK;
    return engine.next[t].kind == EVENT_COND_WAKE ? WAITING_FOR_WAKE : WAITING_AT_STEP;
}

static void keep_wait(uint32_t t, uint32_t blocker)
{
    struct worker_error *error = &engine.shared->error;
    if (error->wait_count == PROTOCOL_WAITS) {
        error->waits_left_out++;
        return;
    }
    error->waits[error->wait_count++] = (struct worker_wait){.thread = t,
                                                             .why = find_reason(t, blocker),
                                                             .other = blocker,
                                                             .step = engine.next[t].kind,
                                                             .address = engine.next[t].address,
                                                             .pc = engine.threads[t].pc};
}

static void keep_waits(uint32_t culprit, const uint32_t *blockers)
{
    struct worker_error *error = &engine.shared->error;
    error->wait_count = error->waits_left_out = error->round_count = 0;
    keep_wait(culprit, blockers[culprit]);
    uint32_t next = find_second(culprit, blockers);
    for (uint64_t left = find_waiting() & ~thread_bit(culprit); left;) {
        if (next == NO_THREAD || !(left & thread_bit(next)))
            next = (uint32_t)__builtin_ctzll(left);
        keep_wait(next, blockers[next]);
        left &= ~thread_bit(next);
        next = blockers[next] < engine.count ? blockers[next] : NO_THREAD;
    }
}

static void capture_thread(struct worker_stack *stack, uint32_t thread)
{
    stack->thread = thread;
    if (thread == engine.current) {
        call_stack_capture(stack, (const void *)engine.threads[thread].pc);
        return;
    }
    engine.wanted_stack = stack;
    engine.asker = engine.current;
    engine_switch(thread);
}

static void find_blockers(uint32_t *blockers)
{
    for (uint32_t t = 0; t < engine.count; t++)
        blockers[t] = engine.alive & thread_bit(t) ? find_blocker(t) : NO_THREAD;
}

/* Not for the end of a thread, and not stopped by something else. */
static bool waits_itself(const struct worker_wait *w)
{
    return w->why != WAITING_FOR_THREAD && w->why != WAITING_REFUTED && w->why != WAITING_AFTER_ERROR;
}

/* The first two threads that are named, and those of the others that are part of the deadlock. */
static void capture_waiting(void)
{
    struct worker_error *error = &engine.shared->error;
    error->stack_count = 0;
    for (uint32_t k = 0; k < error->wait_count; k++)
        if (k < 2 || waits_itself(&error->waits[k]))
            capture_thread(&error->stacks[error->stack_count++], error->waits[k].thread);
}

static _Noreturn void report_waits(const uint32_t *blockers, const char *besides)
{
    struct worker_error *error = &engine.shared->error;
    uint32_t culprit = find_culprit(blockers);
    bool all = (uint32_t)__builtin_popcountll(find_waiting()) == engine.count;
    snprintf(error->message, sizeof error->message, "every thread %swaits forever%s%s",
             all ? "" : "that is left ", *besides ? ", " : "", besides);
    keep_waits(culprit, blockers);
    capture_waiting();
    finish(WORKER_FOUND, WORKER_ERROR_DEADLOCK,
           engine.next[culprit].kind == EVENT_JOIN ? 0 : engine.next[culprit].address);
}

/* ------------------------------------------------------------------ a thread that stops forever */

/* Those that wait for the end of another thread are not to blame. */
static uint64_t find_stuck(uint32_t victim)
{
    uint64_t stuck = find_waiting();
    if (victim != NO_THREAD)
        stuck &= ~thread_bit(victim);
    for (uint64_t left = stuck; left; left &= left - 1)
        if (engine.next[__builtin_ctzll(left)].kind == EVENT_JOIN)
            stuck &= ~(left & -left);
    return stuck;
}

static uint64_t find_last_place(uint32_t thread)
{
    for (uint32_t k = engine.shared->event_count; k-- > 0;)
        if (engine.shared->events[k].thread == thread && engine.shared->events[k].pc)
            return engine.shared->events[k].pc;
    return 0;
}

static void keep_victim(uint32_t victim)
{
    struct worker_error *error = &engine.shared->error;
    if (victim == NO_THREAD)
        return;
    error->victim.thread = victim + 1;
    error->victim.step = engine.next[victim].kind;
    error->victim.pc = engine.shared->events_lost ? 0 : find_last_place(victim);
    error->stacks[1] = (struct worker_stack){.thread = victim};
    error->stack_count = 2;
    if (engine.next[victim].kind != EVENT_BEGIN) /* else it has no stack yet */
        capture_thread(&error->stacks[1], victim);
}

static _Noreturn void report_blocking(const uint32_t *blockers)
{
    struct worker_error *error = &engine.shared->error;
    uint32_t victim = explore_graphs_stopped_thread(engine.explorer);
    uint64_t stuck = find_stuck(victim);
    uint32_t culprit = stuck ? (uint32_t)__builtin_ctzll(stuck) : find_culprit(blockers);
    snprintf(error->message, sizeof error->message, "not non-blocking");
    error->wait_count = error->waits_left_out = error->round_count = 0;
    error->victim = (struct worker_victim){0};
    const char *name = engine_name_operation ? engine_name_operation(culprit) : "";
    snprintf(error->victim.operation, sizeof error->victim.operation, "%s", name);
    for (uint64_t left = stuck; left; left &= left - 1)
        keep_wait((uint32_t)__builtin_ctzll(left), blockers[__builtin_ctzll(left)]);
    error->stack_count = 1;
    capture_thread(&error->stacks[0], culprit);
    keep_victim(victim);
    finish(WORKER_FOUND, WORKER_ERROR_PROGRESS, engine.next[culprit].address);
}

void failure_report_deadlock(void)
{
    uint32_t blockers[THREADS_MAX];
    engine_active = false;
    if (engine_graph_mode && engine.shared->config.progress == PROGRESS_STOPS &&
        engine.shared->config.serial == SERIAL_NOT) {
        find_blockers(blockers);
        report_blocking(blockers);
    }
    const char *besides = engine_judge_stuck ? engine_judge_stuck() : "";
    if (!besides)
        engine_end(PORT_BLOCKED);
    find_blockers(blockers);
    report_waits(blockers, besides);
}

void failure_report_cycle(void)
{
    uint32_t blockers[THREADS_MAX];
    if (!engine.failed || engine_judge_stuck)
        return;
    engine_active = false;
    find_blockers(blockers);
    if (find_cycle(blockers) != NO_THREAD)
        report_waits(blockers, "");
}

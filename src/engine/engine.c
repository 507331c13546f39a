/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine.h"

#include "base/check.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/engine_state.h"
#include "engine/engine_quick.h"
#include "engine/error/origins.h"
#include "engine/loop/loops.h"

struct engine engine;
bool engine_active;
void (*engine_at_thread_end)(uint32_t thread);
void (*engine_at_step)(void);
const char *(*engine_judge_stuck)(void);
const char *(*engine_name_operation)(uint32_t thread);

uint32_t engine_current(void)
{
    return engine.current;
}

/* ------------------------------------------------------------------ trace */

#define KIND_BIT(kind) (UINT64_C(1) << EVENT_##kind)
_Static_assert(EVENT_KIND_COUNT <= 64, "kinds fit a word");

/* Events after which the thread may still be in the state it was in before: see spin.h. */
static const uint64_t without_effect = KIND_BIT(READ) | KIND_BIT(WRITE) | KIND_BIT(UPDATE) |
                                       KIND_BIT(CAS_FAILED) | KIND_BIT(FENCE) | KIND_BIT(PLAIN_READ) |
                                       KIND_BIT(PLAIN_WRITE) | KIND_BIT(YIELD);

/* All that these do is in the graph. */
static const uint64_t locks = KIND_BIT(LOCK) | KIND_BIT(TRYLOCK) | KIND_BIT(UNLOCK) | KIND_BIT(READ_LOCK) |
                              KIND_BIT(READ_UNLOCK) | KIND_BIT(SEM_WAIT) | KIND_BIT(SEM_POST) |
                              KIND_BIT(COND_WAIT) | KIND_BIT(COND_SIGNAL) | KIND_BIT(COND_BROADCAST) |
                              KIND_BIT(TIMEOUT);

/* The last events of a long execution are as interesting as the first: they lead to the error. */
struct event *engine_reuse_event(struct worker_shared *s)
{
    uint32_t last = PROTOCOL_EVENTS - PROTOCOL_EVENTS_FIRST;
    return &s->events[PROTOCOL_EVENTS_FIRST + s->events_lost++ % last];
}

void engine_show_event(void)
{
    if (!worker_is_serial(&engine.shared->config)) /* many come before the one that is shown */
        origins_note(engine.shared);
    if (engine.shared->config.debugger)
        plumb_debug_event();
}

void engine_note(enum event_kind kind, uint64_t address, unsigned size, unsigned order, uint64_t before,
                 uint64_t value, const void *pc)
{
    bool failed_try = kind == EVENT_TRYLOCK && !value && size; /* looked at so many bytes of the lock */
    if (kind != EVENT_YIELD && !failed_try) {
        if (engine_graph_mode && locks >> kind & 1)
            graph_mode_note_event();
        else if (!(without_effect >> kind & 1))
            spin_effect(&engine.running->spin);
    } else if (!engine_graph_mode) {
        engine_watch_spinning(address, size, 0, pc);
    }
    engine_add_event(kind, address, size, order, before, value, pc);
}

static inline void keep_choice(bool is_branch, uint32_t answer)
{
    struct worker_shared *s = engine.shared;
    if (s->config.mode == WORKER_REPLAY || engine_graph_mode)
        return; /* the recording is what is being read, or made by the explorer */
    if (s->choice_count < PROTOCOL_SCHEDULE)
        s->schedule[s->choice_count++] =
            (struct schedule_step){is_branch ? SCHEDULE_BRANCH : SCHEDULE_THREAD, (uint16_t)answer};
    else
        s->choices_lost++;
}

/* ------------------------------------------------------------------ scheduling */

void engine_end(enum port_outcome outcome)
{
    engine.outcome = outcome;
    fiber_switch(&engine.running->fiber, &engine.controller);
    CHECK(!"an ended execution goes on");
    __builtin_unreachable();
}

static bool is_never_ready(void *object)
{
    (void)object;
    return false;
}

void engine_halt_thread(unsigned flags)
{
    struct thread *t = engine.running;
    engine_active = false;
    engine.failed |= thread_bit(engine.current);
    engine.waiting |= thread_bit(engine.current);
    t->spins = t->limited = false;
    t->ready = is_never_ready;
    t->pc = 0; /* it is not asked how often it was there */
    if (engine_graph_mode) {
        graph_mode_settle();
        engine.next[engine.current].flags = (uint8_t)flags;
    }
    engine_schedule();
    CHECK(!"a thread goes on after its error");
    __builtin_unreachable();
}

void engine_answer_asker(void)
{
    call_stack_capture(engine.wanted_stack, (const void *)engine.running->pc);
    engine.wanted_stack = NULL;
    engine_switch_to(engine.asker);
}

void engine_switch(uint32_t chosen)
{
    engine_switch_to(chosen);
    if (__builtin_expect(engine.wanted_stack != NULL, false))
        engine_answer_asker();
}

static bool can_go_on(uint32_t thread)
{
    const struct thread *t = &engine.threads[thread];
    return t->spins ? spin_is_over(&t->spin) : t->ready(t->ready_object);
}

static inline uint64_t find_enabled(void)
{
    uint64_t enabled = engine.alive & ~engine.waiting & ~engine.joining;
    for (uint64_t left = engine.waiting; left; left &= left - 1)
        if (can_go_on((uint32_t)__builtin_ctzll(left)))
            enabled |= left & -left;
    return enabled;
}

/* When no thread can go on: waits with a time limit end now. */
static __attribute__((noinline)) uint64_t find_limited(void)
{
    uint64_t limited = 0;
    for (uint64_t left = engine.waiting; left; left &= left - 1)
        if (engine.threads[__builtin_ctzll(left)].limited)
            limited |= left & -left;
    if (limited)
        return limited;
    if (!engine.failed)
        failure_report_deadlock();
    failure_report_cycle();
    engine_end(PORT_BLOCKED);
}

static uint32_t ask_explorer_scattered(uint64_t enabled)
{
    struct port_action actions[THREADS_MAX];
    uint32_t count = 0, running = UINT32_MAX;
    for (uint64_t left = enabled; left; left &= left - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(left);
        if (t == engine.current)
            running = count;
        actions[count++] = engine.next[t];
    }
    uint32_t pick = engine.explorer->class->choose(engine.explorer, actions, count, running);
    return actions[pick].thread;
}

static inline uint32_t ask_explorer(uint64_t enabled)
{
    uint32_t first = (uint32_t)__builtin_ctzll(enabled), chosen;
    uint64_t run = enabled >> first;
    if (run & (run + 1)) {
        chosen = ask_explorer_scattered(enabled);
    } else { /* their actions lie side by side */
        uint32_t count = 64 - (uint32_t)__builtin_clzll(run), running = engine.current - first;
        if (running >= count)
            running = UINT32_MAX;
        chosen = first + engine.explorer->class->choose(engine.explorer, engine.next + first, count, running);
    }
    keep_choice(false, chosen);
    return chosen;
}

/* There are several. */
static inline uint32_t choose_among(uint64_t enabled)
{
    if (__builtin_expect(engine.section_owner != 0, false) && enabled & thread_bit(engine.section_owner - 1))
        return engine.section_owner - 1;
    return ask_explorer(enabled);
}

/* Picks who goes on. */
uint32_t engine_choose(void)
{
    if (__builtin_expect(engine_at_step != NULL, false))
        engine_at_step();
    uint64_t enabled = find_enabled();
    if (!enabled)
        enabled = find_limited();
    uint32_t chosen = enabled & (enabled - 1) ? choose_among(enabled) : (uint32_t)__builtin_ctzll(enabled);
    if (engine.steps_left-- == 0) {
        loops_note_cut();
        engine_end(PORT_CUT);
    }
    return chosen;
}

void engine_stop_spinning(void)
{
    struct thread *t = engine.running;
    t->spins = false;
    engine.waiting &= ~thread_bit(engine.current);
    if (!engine_graph_mode) /* explorers of graphs keep rounds of their own: rounds.h */
        spin_continue(&t->spin);
}

void engine_step(enum event_kind kind, uint64_t address, unsigned size, const void *pc)
{
    engine_step_inline(kind, address, size, pc);
}

void engine_wait(enum event_kind kind, uint64_t address, bool (*ready)(void *), void *object, const void *pc)
{
    struct thread *t = engine.running;
    uint64_t bit = thread_bit(engine.current);
    engine_active = false;
    engine_announce(kind, address, 0, pc);
    if (engine_graph_mode)
        graph_mode_note_event();
    else
        spin_effect(&t->spin);
    t->spins = false;
    t->ready = ready;
    t->ready_object = object;
    engine.waiting |= bit;
    if (__builtin_expect(engine_graph_mode, false))
        graph_mode_settle();
    engine_schedule();
    engine.waiting &= ~bit;
    engine_active = true;
}

bool engine_wait_limited(enum event_kind kind, uint64_t address, bool (*ready)(void *), void *object,
                         const void *pc)
{
    if (__builtin_expect(engine_graph_mode, false))
        return graph_mode_wait_limited(kind, address, ready, object, pc);
    engine_step(kind, address, 0, pc);
    bool in_time = ready(object);
    if (!in_time && engine_branch(2) == 0) { /* it may expire now, or wait on */
        struct thread *t = engine.running;
        t->limited = true;
        engine_wait(kind, address, ready, object, pc);
        t->limited = false;
        in_time = ready(object);
    }
    if (in_time)
        return true;
    engine_note(EVENT_TIMEOUT, address, 0, ORDER_PLAIN, 0, 0, pc);
    return false;
}

uint32_t engine_branch(uint32_t ways)
{
    spin_effect(&engine.running->spin);
    uint32_t way = engine.explorer->class->branch(engine.explorer, ways);
    keep_choice(true, way);
    return way;
}

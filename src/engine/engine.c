/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine.h"

#include "base/check.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/engine_state.h"
#include "engine/engine_quick.h"
#include "engine/error/origins.h"
#include "engine/graph_mode/plain_steps.h"
#include "engine/loop/loops.h"
#include "engine/memory/variable_bounds.h"

struct engine engine;
bool engine_active;
void (*engine_at_thread_end)(uint32_t thread);
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

/* Plain accesses are for the reader only: neither steps nor hash may depend on whether they are kept. */
static __attribute__((noinline)) void keep_plain(uint64_t address, size_t size, bool writes, const void *pc)
{
    uint64_t watched = engine.shared->config.watched;
    if (watched && watched - address >= size)
        return;
    enum event_kind kind = writes ? EVENT_PLAIN_WRITE : EVENT_PLAIN_READ;
    engine_keep_event(engine_who_and_how(kind, (unsigned)(size < 255 ? size : 255), ORDER_PLAIN), address, 0,
                      0, pc);
    engine_notify_readers();
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

/* ------------------------------------------------------------------ accesses */

static inline void note_for_spinning(struct thread *t, uint64_t address, size_t size, bool writes,
                                     const void *pc)
{
    if (writes && fiber_has_on_stack(&t->fiber, address))
        engine_note_own_write(t, address + size);
    if (__builtin_expect(t->spin.recording, false)) {
        if (fiber_has_on_stack(&t->fiber, address)) /* its own stack is compared as a whole */
            spin_record_own(&t->spin, address, size, writes);
        else if (writes)
            spin_effect(&t->spin);
        else
            spin_record(&t->spin, address, size);
    } else if (writes && !fiber_has_on_stack(&t->fiber, address)) {
        engine_note_plain_write(t, address, size, pc);
    }
}

/* Accesses to a block have to come after its allocation. A write that was not waited for either says more than that. */
static void check_known(struct race second)
{
    struct race r;
    if (!heap_find_unknown(second.address, &r))
        return;
    bool plain = !second.second_atomic && !second.second_uses;
    if (plain && !clocks_plain(engine.clocks, engine.current, second.address, second.second_size,
                               second.second_writes, second.second_pc, &r)) {
        failure_report_race(&r);
        return;
    }
    r.second_writes = second.second_writes;
    r.second_atomic = second.second_atomic;
    r.second_size = second.second_size;
    r.second_pc = second.second_pc;
    r.second_uses = second.second_uses;
    failure_report_race(&r);
}

void engine_check_known(uint64_t address, size_t size, bool writes, bool atomic, const void *pc)
{
    check_known((struct race){.address = address,
                              .second_writes = writes,
                              .second_atomic = atomic,
                              .second_size = (uint8_t)(size < UINT8_MAX ? size : UINT8_MAX),
                              .second_pc = (uint64_t)pc});
}

static void access_in_graph_mode(struct thread *t, uint64_t address, size_t size, bool writes, const void *pc)
{
    graph_mode_plain(address, size, writes, pc);
    if (writes && live_wanted)
        graph_mode_note_access(address, size);
    if (writes)
        t->touched += ENGINE_WRITES;
    else
        engine_note_found(t, address, size, pc);
    t->fold.looked |= !writes && engine_is_known(t, address);
}

/* The compiler may have dropped an access through a null pointer after it announced it. It happens all the same. */
static inline void crash_at_null(uint64_t address)
{
    if (__builtin_expect(address < NEVER_MAPPED, false))
        (void)*(const volatile char *)address;
}

/* `relaxed`: it counts as an atomic one. A write becomes known to the graph later, at the thread's next hook. */
static void check_races(uint64_t address, size_t size, bool writes, bool relaxed, const void *pc)
{
    struct race r;
    bool fine;
    if (__builtin_expect(engine_graph_mode, false))
        graph_mode_learn_clock();
    if (!relaxed)
        fine = clocks_plain(engine.clocks, engine.current, address, size, writes, (uint64_t)pc, &r);
    else if (engine_graph_mode)
        fine = clocks_record_atomic(engine.clocks, engine.current, address, size, writes, writes,
                                    (uint64_t)pc, &r);
    else
        fine = clocks_atomic(engine.clocks, engine.current, writes ? EVENT_WRITE : EVENT_READ, address, size,
                             ORDER_RELAXED, (uint64_t)pc, &r);
    if (!fine)
        failure_report_races(&r);
}

/* In a schedule another thread may go first, where races are no errors: a loop that waits for a plain write would have no end
 * otherwise. That it only waits is not noticed: registers are not looked at here. */
static void let_others_go(uint64_t address, size_t size, bool writes, const void *pc)
{
    if (engine.count == 1 || fiber_owns(&engine.running->fiber, address))
        return;
    heap_check(address, size, pc);
    engine_step(writes ? EVENT_PLAIN_WRITE : EVENT_PLAIN_READ, address, (unsigned)(size < 255 ? size : 255),
                pc);
    spin_effect(&engine.running->spin);
}

/* `relaxed`: as in check_races */
static inline __attribute__((always_inline)) void access_plainly(uint64_t address, size_t size, bool writes,
                                                                 bool relaxed, const void *pc)
{
    struct thread *t = engine.running;
    bool may_wait = plain_steps_on && !writes; /* others go on before a read that is a step happens */
    crash_at_null(address);
    if (__builtin_expect(!engine_graph_mode && (races_allowed || relaxed), false))
        let_others_go(address, size, writes, pc);
    if (__builtin_expect(engine.keeps_plain, false) && !(plain_steps_on && plain_is_step(address, size)))
        keep_plain(address, size, writes, pc); /* before the checks: it may be the last */
    variable_bounds_check(address, size, writes, pc);
    heap_check(address, size, pc);
    if (__builtin_expect(engine_graph_mode, false)) {
        engine_note_stack(t, address);
        engine_note_shared(t, address, size, writes);
        graph_mode_learn_clock();
    }
    frames_check_foreign(t, address, size, false, pc);
    frames_check_own(address, size, 0, pc);
    engine_check_known_quick(address, size, writes, false, pc);
    if (!may_wait)
        check_races(address, size, writes, relaxed, pc);
    note_for_spinning(t, address, size, writes, pc);
    if (__builtin_expect(plain_steps_on, false)) {
        struct plain_write later = plain_take_unwritten(pc);
        if (!plain_steps_access(address, size, writes, pc)) {
            access_in_graph_mode(t, address, size, writes, pc);
            if (writes && heap_contains((const void *)address))
                plain_note_initial(address, size);
        }
        plain_put_back(&later, address, size, writes, pc);
        if (may_wait)
            check_races(address, size, writes, relaxed, pc);
    } else if (__builtin_expect(engine_graph_mode, false)) {
        access_in_graph_mode(t, address, size, writes, pc);
    }
}

void engine_plain(uint64_t address, size_t size, bool writes, const void *pc)
{
    access_plainly(address, size, writes, false, pc);
}

static inline __attribute__((always_inline)) void access_compiled(uint64_t address, size_t size, bool writes,
                                                                  bool relaxed, const void *pc)
{
    plain_is_compiled = plain_steps_on;
    access_plainly(address, size, writes, relaxed, pc);
    if (plain_steps_on && writes)
        plain_note_compiled(address, size, pc);
}

void engine_plain_compiled(uint64_t address, size_t size, bool writes, const void *pc)
{
    access_compiled(address, size, writes, false, pc);
}

void engine_volatile(uint64_t address, size_t size, bool writes, const void *pc)
{
    if (engine.count > 1)
        failure_note_volatile((uint64_t)pc);
    access_compiled(address, size, writes, volatile_is_atomic, pc);
}

/* Freeing races with every access. */
void engine_plain_free(uint64_t address, size_t size, const void *pc)
{
    spin_effect(&engine.running->spin);
    engine.freeing_at = pc;
    if (plain_steps_on)
        plain_steps_free(address, size, pc);
    else
        engine_plain(address, size, true, pc);
}

/* The bytes are the runtime's own; what they hold means nothing to the program. */
void engine_plain_object(uint64_t address, size_t size, const void *pc)
{
    spin_effect(&engine.running->spin);
    if (plain_steps_on)
        heap_check(address, size, pc);
    else
        engine_plain(address, size, true, pc);
}

void engine_use_object(uint64_t address, size_t size, const void *pc)
{
    struct race r;
    if (engine_graph_mode)
        graph_mode_learn_clock();
    if (fiber_is_near_stacks(address))
        frames_check_object(address, size, pc);
    if (!heap_is_known_quick(address, engine.current))
        check_known((struct race){.address = address, .second_uses = true, .second_pc = (uint64_t)pc});
    if (clocks_knows_access(engine.clocks, address, size) &&
        !clocks_check_atomic(engine.clocks, engine.current, address, size, false, (uint64_t)pc, &r)) {
        r.second_uses = true;
        failure_report_race(&r);
    }
}

bool engine_allows_races(void)
{
    return plain_steps_on;
}

void engine_check_atomic(enum event_kind kind, uint64_t address, unsigned size, unsigned order,
                         const void *pc)
{
    struct race r;
    if (!clocks_atomic(engine.clocks, engine.current, kind, address, size, engine_judged_order(order),
                       (uint64_t)pc, &r))
        failure_report_races(&r);
}

void engine_atomic(enum event_kind kind, uint64_t address, unsigned size, unsigned order, uint64_t before,
                   uint64_t value, const void *pc)
{
    engine_atomic_inline(kind, address, size, order, before, value, pc);
}

void engine_fence(unsigned order, const void *pc)
{
    if (!engine_graph_mode)
        clocks_fence(engine.clocks, engine.current, engine_judged_order(order));
    engine_add_event(EVENT_FENCE, 0, 0, order, 0, 0, pc);
}

int32_t engine_now(void)
{
    if (engine_graph_mode)
        graph_mode_learn_clock();
    return clocks_now(engine.clocks, engine.current);
}

bool engine_knows(uint32_t thread, int32_t clock)
{
    if (engine_graph_mode)
        graph_mode_learn_clock();
    return clocks_includes(engine.clocks, engine.current, thread, clock);
}

void engine_acquire(uint64_t object)
{
    if (!engine_graph_mode)
        clocks_acquire(engine.clocks, engine.current, object);
}

void engine_release(uint64_t object)
{
    if (!engine_graph_mode)
        clocks_release(engine.clocks, engine.current, object);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/graph_mode/contents.h"
#include "engine/graph_mode/graph_mode_facts.h"

#include "base/hash.h"
#include "engine/engine_quick.h"
#include "engine/graph_mode/plain_split.h"
#include "engine/graph_mode/plain_steps.h"
#include "engine/graph_mode/stretches.h"
#include "engine/loop/loops.h"
#include "explore/graphs.h"
#include "explore/graphs_memory.h"
#include "explore/graphs_replay.h"
#include "graph/model.h"

static struct rounds rounds_of[THREADS_MAX];

struct graph_mode_interest graph_mode_interest;

void graph_mode_show_interest(uint64_t address, size_t size)
{
    for (uint64_t g = address >> 3; g <= (address + size - 1) >> 3; g++)
        graph_mode_interest.filter[g / 64 % (GRAPH_MODE_FILTER / 64)] |= UINT64_C(1) << g % 64;
}

static bool is_of_memory(const struct port_action *a)
{
    return a->operation && !(a->flags & PORT_OBJECT);
}

/* ------------------------------------------------------------------ steps */

/* The explorer cannot go on with what the thread is about to do. */
static _Noreturn void stop_at_limit(uint32_t thread)
{
    const char *limit = explore_graphs_limit(engine.explorer);
    const void *pc = thread < THREADS_MAX ? (const void *)engine.threads[thread].pc : NULL;
    const char *memory = engine.shared->config.memory;
    bool mixed = __builtin_strcmp(limit, GRAPHS_MIXED_SIZES) == 0;
    if (__builtin_strcmp(limit, GRAPHS_TOO_LONG) == 0)
        loops_blame();
    if (mixed)
        engine_limit(LIMIT_MIXED_SIZE);
    if (mixed && !model_is(memory, MODEL_INTERLEAVED))
        engine_give_up(pc, "%s under %s (--memory sc can)", limit, memory);
    engine_give_up(pc, "%s in an exploration of graphs (--mode dfs can)", limit);
}

/* The thread is still where it does so. */
static void keep_place_of_divergence(void)
{
    const struct graphs_divergence *d = explore_graphs_divergence(engine.explorer);
    if (d && !engine.shared->unpredictable_pc)
        engine.shared->unpredictable_pc = (uint64_t)engine.threads[d->now.thread].pc;
}

static _Noreturn void stop(const struct port_answer *answer)
{
    switch (answer->why) {
    case PORT_STOP_STUCK: failure_report_deadlock();
    case PORT_STOP_FOLDED:
    case PORT_STOP_BLOCKED: failure_report_cycle(); engine_end(PORT_BLOCKED);
    case PORT_STOP_DIVERGED:
        keep_place_of_divergence();
        engine_limit(LIMIT_NONDETERMINISM);
        engine_end(PORT_CUT);
    case PORT_STOP_OTHERS_ENDED: engine_end(PORT_BLOCKED);
    case PORT_STOP_FAILED: engine_limit(LIMIT_AFTER_RACE); engine_end(PORT_BLOCKED);
    case PORT_STOP_LIMIT: break;
    }
    stop_at_limit(answer->thread);
}

void graph_mode_find_clock(void)
{
    uint32_t width;
    const uint16_t *events = explore_graphs_clock(engine.explorer, engine.current, &width);
    clocks_set(engine.clocks, engine.current, events, width);
    graph_mode_interest.clock_unknown = false;
    if (fold_is_on)
        graph_mode_interest.exposed_to = explore_graphs_exposed(engine.explorer, engine.current);
}

/* The next step describes itself anew. */
static void forget_description(struct port_action *a)
{
    a->operation = OPERATION_NONE;
    a->flags = 0;
    a->round = 0;
    a->only_atomic = a->same = a->unused = a->patient = a->sticky = a->quiet = false;
    a->state = a->live = 0;
    a->order = a->failure_order = 0;
    a->operand = a->expected = 0;
}

/* Is what the thread does next compared with what it did, and are its registers kept for that? */
static inline void watch_rounds(uint32_t thread, bool watch)
{
    engine.threads[thread].spin.mark_pc = watch ? 0 : SPIN_UNWATCHED;
    if (thread == engine.current)
        spin_watch.pc = engine.threads[thread].spin.mark_pc;
}

static void forget_rounds(struct thread *t)
{
    rounds_forget(&rounds_of[engine.current], &t->undo);
}

void engine_note_inside(uint64_t what)
{
    engine.running->live.inside = what;
}

uint64_t engine_inside(void)
{
    return engine.running->live.inside;
}

/* Rounds in which time passed may have been held. */
void engine_note_use_of_time(void)
{
    engine_note_effect();
    if (!engine_graph_mode || graph_mode_facts.time_matters)
        return;
    graph_mode_facts.time_matters = true;
    if (!graph_mode_relates)
        plain_find_out(GRAPHS_TIMED, 0);
}

bool engine_note_look(uint64_t out, const void *pc)
{
    bool uses = !engine_graph_mode || !fold_is_unused((uint64_t)pc) ||
                !fiber_has_on_stack(&engine.running->fiber, out);
    if (uses)
        engine_note_use_of_time();
    return uses;
}

void engine_note_time(void)
{
    if (graph_mode_facts.time_matters)
        engine_note_effect();
}

static bool has_changed(const struct thread *t)
{
    struct hash_wide changes = undo_changes_but_counters(&t->undo);
    return changes.low || changes.high;
}

void graph_mode_note_event(void)
{
    struct thread *t = engine.running;
    if (!live_wanted) {
        spin_effect(&t->spin);
        return;
    }
    t->live.changes += has_changed(t);
    t->live.asleep = 0;
    forget_rounds(t);
}

/* Effects that are no events are counted, and then as if they had not been. */
static bool note_effects(struct thread *t)
{
    bool any = t->spin.since_effect == 0 || t->spin.had_effect;
    if (any) {
        graph_mode_note_access(0, 0);
        t->live.changes++;
        forget_rounds(t);
    }
    t->spin.had_effect = false;
    t->spin.reads = 1;
    return any;
}

/* What was written plainly and is not as it was is there for others once the thread does anything but read. */
static void publish(struct thread *t)
{
    t->live.changes += has_changed(t);
    if (t->undo.count)
        forget_rounds(t);
}

/* Is it where it was at a sleep since which it has only slept? Then it sleeps until the process ends. The state that others are
 * compared with is a later one each time that twice as many have passed. */
static bool sleeps_for_ever(struct live *l, const struct port_action *a)
{
    if (a->kind != EVENT_YIELD || !a->quiet || !l->asleep) {
        l->asleep = a->kind == EVENT_YIELD ? a->live : 0;
        l->sleeps = 0;
        return false;
    }
    if (a->live == l->asleep)
        return true;
    l->sleeps++;
    if (!a->live || (l->sleeps & (l->sleeps - 1)) == 0)
        l->asleep = a->live;
    return false;
}

static void find_live_state(void)
{
    struct thread *t = engine.running;
    struct port_action *a = &engine.next[engine.current];
    t->live.modes = live_modes();
    a->quiet = !note_effects(t) && t->touched == 0;
    if (a->operation != OPERATION_LOAD)
        publish(t);
    a->live = live_state(&t->live, &t->spin, &t->undo, a, t->pc);
    a->unused = a->size <= 8 && operation_takes_any(a->operation) && fold_is_unused(t->pc);
    if (sleeps_for_ever(&t->live, a)) {
        a->flags |= PORT_SPINS;
        t->spins = true; /* for the report of a deadlock */
    }
}

uint32_t graph_mode_choose(void)
{
    if (__builtin_expect(engine.steps_left-- <= loops_watch.floor, false))
        loops_look();
    if (__builtin_expect(loops_watch.bounds, false) && engine.alive & thread_bit(engine.current) &&
        loops_met_bound())
        engine.next[engine.current].flags |= PORT_BOUNDED;
    if (__builtin_expect(live_wanted, false) && engine.alive & thread_bit(engine.current))
        find_live_state();
    engine.next[engine.current].within = engine.running->within != 0;
    struct port_answer answer = {.thread = UINT32_MAX};
    uint32_t chosen =
        engine.explorer->class->advance(engine.explorer, engine.next, engine.alive, engine.current, &answer);
    if (__builtin_expect(graph_mode_interest.shares_nothing, false))
        graph_mode_look_for_changes();
    if (__builtin_expect(live_wanted, false))
        loops_see_held(explore_graphs_held_thread(engine.explorer));
    if (chosen == PORT_STOP)
        stop(&answer);
    if (__builtin_expect(graph_mode_relates, false))
        graph_mode_note_step();
    struct port_action *a = &engine.next[chosen];
    engine.threads[chosen].touched = engine.threads[chosen].found = 0;
    stretches_begin(chosen);
    if (is_of_memory(a)) {
        graph_mode_show_interest(a->address, a->size);
        if (answer.reads && !(plain_steps_on && plain_holds(a->address, a->size, answer.found)))
            graph_mode_put(a->address, a->size, answer.found);
        if (__builtin_expect(plain_steps_on, false))
            contents_note(a->address, a->size);
    }
    engine.answered_thread = answer.thread;
    engine.answered_value = (uint64_t)answer.found;
    engine.answered_failure = answer.fails;
    if (answer.reads)
        engine.threads[chosen].fold.found_something = answer.found != 0;
    graph_mode_interest.clock_unknown = true;
    forget_description(a);
    watch_rounds(chosen, live_wanted || !answer.effect_ahead);
    if (__builtin_expect(live_wanted, false)) {
        live_clean_below(&engine.running->spin);
        live_set_modes(engine.running->live.modes);
    }
    return chosen;
}

const struct graph_event *graph_mode_repeat(struct graph_label label, unsigned size, uint64_t address,
                                            uint64_t operand, uint64_t expected, const void *pc)
{
    if (__builtin_expect(
            graph_mode_facts.repeats_apart || graph_mode_interest.unsettled || engine.steps_left == 0, false))
        return NULL;
    struct graphs_step step = {label, (uint16_t)engine.current, (uint8_t)size};
    struct graphs_repeated r = explore_graphs_repeat(engine.explorer, step, address, operand, expected);
    if (!r.event)
        return NULL;
    struct thread *t = engine.running;
    engine.steps_left--;
    if (__builtin_expect(loops_watch.bounds, false))
        loops_note_repeated((uint64_t)pc);
    engine.answered_failure = r.event->flags & GRAPH_FAILS;
    t->pc = (uint64_t)pc;
    t->found = t->touched = 0;
    stretches_begin(engine.current);
    graph_mode_show_interest(address, size);
    graph_mode_interest.clock_unknown = true;
    watch_rounds(engine.current, !r.effect_ahead);
    return r.event;
}

void graph_mode_settle(void)
{
    struct thread *t = engine.running;
    struct port_action *a = &engine.next[engine.current];
    if (a->flags & PORT_OBJECT)
        a->size = a->operation == OPERATION_OFFER || a->operation == OPERATION_PICK ? sizeof(event_word)
                                                                                    : sizeof(uint64_t);
    if (t->found) /* it is not reset before the thread's step: how often this is called on the way must not matter */
        explore_graphs_plain_found(engine.explorer, engine.current, t->found);
    if (stretches[engine.current].count)
        stretches_end();
    if (__builtin_expect(graph_mode_interest.unsettled != 0, false))
        graph_mode_settle_write();
    if (__builtin_expect(plain_steps_on, false))
        plain_steps_settle();
}

/* Any other thread may write there, those that do not exist yet included. */
static void note_folded_reads(uint32_t round, bool only_atomic)
{
    uint32_t me = engine.current;
    struct fold_position at = {me, explore_graphs_position(engine.explorer, me, round)};
    uint8_t known[FOLD_THREADS] = {0};
    for (uint32_t t = 0; fold_has_names() && t < FOLD_THREADS; t++)
        known[t] = t == me ? UINT8_MAX : fold_cap(explore_graphs_known_published(engine.explorer, me, t));
    rounds_note_reads(&rounds_of[me], &engine.running->fold, round, at, known, only_atomic);
}

/* Executions with more such rounds are left out, and what the marks in them mean with them. */
static void check_round_for_marks(const struct thread *t, uint32_t round, bool folds)
{
    if (t->marked > explore_graphs_position(engine.explorer, engine.current, round))
        engine_limit(folds ? LIMIT_FOLDING : LIMIT_MARKS);
}

/* A round that is too deep to look at, for instance, is forgotten there: what it changed is changed all the same. */
static uint32_t arrive_at_read(struct thread *t, struct port_action *a, const void *pc, bool *folds)
{
    struct rounds_thread arriving = {&t->spin, &t->fold, &t->undo};
    bool changed = live_wanted && has_changed(t);
    uint32_t round = rounds_arrive(&rounds_of[engine.current], arriving, a, (uint64_t)pc,
                                   graph_mode_facts.rounds_twice, folds);
    t->live.changes += changed && !t->undo.count;
    return round;
}

/* Not where it matters what a thread learns in a round: to histories and marks. */
static bool may_be_patient(const struct thread *t)
{
    return !engine.shared->config.test[0] && !t->marked && !plain_steps_on;
}

void graph_mode_arrive(const void *pc)
{
    struct port_action *a = &engine.next[engine.current];
    graph_mode_settle();
    if (is_of_memory(a)) { /* a bad address is the program's fault, and met here, not in our own code */
        engine_active = true;
        (void)*(const volatile char *)a->address;
        engine_active = false;
        if (__builtin_expect(plain_steps_on, false))
            plain_steps_arrive(a->address, a->size, pc);
    }
    struct thread *t = engine.running;
    if (__builtin_expect(live_wanted, false))
        note_effects(t);
    if (t->spin.mark_pc == SPIN_UNWATCHED || a->operation == OPERATION_NONE)
        return;
    bool folds = false;
    struct rounds *r = &rounds_of[engine.current];
    if (operation_reads(a->operation))
        a->round = arrive_at_read(t, a, pc, &folds);
    bool patient = operation_reads(a->operation) && r->patient && may_be_patient(t);
    if ((folds || patient) && !fold_is_patient) { /* all is run again, with folding */
        fold_note_found();
        if (!loops_is_first()) /* nothing of it is of use, and its rounds may take longer and longer */
            engine_end(PORT_CUT);
        a->round = folds = patient = false;
    }
    if ((a->patient = patient))
        fold_note_patient();
    if (a->round) {
        if (__builtin_expect(t->marked != 0, false))
            check_round_for_marks(t, a->round, folds);
        a->flags |= folds ? PORT_FOLDS : PORT_SPINS;
        a->same = folds && r->same;
        a->only_atomic = folds && !plain_steps_on && rounds_read_atomically(r, &t->fold, a->round);
        if (folds || (fold_is_on && rounds_may_race(r, a->round)))
            note_folded_reads(a->round, a->only_atomic);
        t->spins = !folds; /* for the report of a deadlock */
    } else if (__builtin_expect(graph_mode_interest.states, false) && !t->spurious.count) {
        a->state = rounds_state(r, &t->spin, a, (uint64_t)pc);
        if (a->state && t->claimed)
            a->state = hash_combine(a->state, t->claimed) | 1;
    }
}

void graph_mode_note_exposed_write(uint64_t address, size_t size, bool atomic)
{
    if (!graph_mode_interest.exposed_to)
        return;
    struct fold_position me = {engine.current, explore_graphs_published(engine.explorer, engine.current)};
    me.event -= atomic; /* it is in the graph */
    for (uint64_t others = graph_mode_interest.exposed_to; others; others &= others - 1) {
        struct fold_position at = {.thread = (uint32_t)__builtin_ctzll(others)};
        uint32_t to;
        explore_graphs_exposed_to(engine.explorer, engine.current, at.thread, &at.event, &to);
        for (; at.event < to; at.event++)
            fold_add_exposed(at, me, address, size, atomic);
    }
}

static void note_atomic_write(uint64_t address, unsigned size)
{
    engine.running->fold.updates++;
    if (!fold_is_on)
        return;
    graph_mode_learn_clock();
    graph_mode_note_exposed_write(address, size, true);
}

void graph_mode_atomic(enum event_kind kind, uint64_t address, unsigned size, unsigned order, uint64_t before,
                       uint64_t value, const void *pc)
{
    struct race r;
    bool writes = kind == EVENT_WRITE || kind == EVENT_UPDATE;
    engine_note_stack(engine.running, address);
    frames_check_foreign(engine.running, address, size, true, pc);
    engine_add_event(kind, address, size, order, before, value, pc);
    if (__builtin_expect(plain_steps_recorded, false)) {
        graph_mode_learn_clock();
        if (!clocks_record_atomic(engine.clocks, engine.current, address, size, writes, false, (uint64_t)pc,
                                  &r))
            failure_report_races(&r);
    } else if (clocks_knows(engine.clocks, address, size)) {
        graph_mode_learn_clock();
        if (!clocks_check_atomic(engine.clocks, engine.current, address, size, writes, (uint64_t)pc, &r))
            failure_report_race(&r);
    }
    engine_check_known_quick(address, size, writes, true, pc);
    if (__builtin_expect(plain_steps_on || fiber_is_near_stacks(address), false))
        contents_note(address, size);
    if (writes)
        note_atomic_write(address, size);
    if (kind == EVENT_WRITE || before != value)
        graph_mode_note_event();
}

/* What it means that a wait with a limit ends without what it waited for. */
static enum operation expiry_of(enum operation o)
{
    switch (o) {
    case OPERATION_LOCK: return OPERATION_LOCK_EXPIRES;
    case OPERATION_SHARE: return OPERATION_SHARE_EXPIRES;
    case OPERATION_TAKE: return OPERATION_TAKE_EXPIRES;
    case OPERATION_WOKEN: return OPERATION_LEAVE;
    default: return OPERATION_NONE;
    }
}

bool graph_mode_wait_limited(enum event_kind kind, uint64_t address, bool (*ready)(void *object),
                             void *object, const void *pc)
{
    struct port_action *a = &engine.next[engine.current], described = *a;
    bool expires = engine.explorer->class->expires(engine.explorer); /* nothing else is chosen by it */
    graph_mode_note_event();
    *a = described;
    if (!expires) {
        a->flags |= PORT_LIMITED;
        engine_wait(kind, address, ready, object, pc);
        return true;
    }
    a->operation = (uint8_t)expiry_of(a->operation);
    a->flags |= PORT_ASSUMES;
    uint64_t inside = engine_inside();
    engine_note_inside(inside + 1); /* others leave for no reason */
    engine_step(kind, address, 0, pc);
    engine_note_inside(inside);
    engine_note(EVENT_TIMEOUT, address, 0, ORDER_PLAIN, 0, 0, pc);
    return false;
}

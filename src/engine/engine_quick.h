/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that nearly all executions consist of, to be inlined into the hooks: a fiber that goes on has one return
 * less to find its way back through, and sizes and kinds are constants. */
#ifndef ENGINE_ENGINE_QUICK_H
#define ENGINE_ENGINE_QUICK_H

#include "engine/graph_mode/graph_mode.h"
#include "engine/graph_mode/stretches.h"
#include "engine/race/clocks_quick.h"
#include "engine/engine.h"
#include "engine/engine_state.h"
#include "engine/memory/frames.h"
#include "engine/memory/undefined_bits.h"

/* ------------------------------------------------------------------ trace */

_Static_assert(sizeof(struct event) - offsetof(struct event, thread) == sizeof(uint64_t) &&
                   offsetof(struct event, kind) == offsetof(struct event, thread) + 2 &&
                   offsetof(struct event, order) == offsetof(struct event, thread) + 3 &&
                   offsetof(struct event, size) == offsetof(struct event, thread) + 4,
               "as engine_add_event has it");

struct event *engine_reuse_event(struct worker_shared *s); /* the room for another event is used up */

static inline uint64_t engine_who_and_how(enum event_kind kind, unsigned size, unsigned order)
{
    return engine.current | (uint64_t)kind << 16 | (uint64_t)order << 24 | (uint64_t)size << 32;
}

static inline void engine_keep_event(uint64_t who_and_how, uint64_t address, uint64_t before, uint64_t value,
                                     const void *pc)
{
    struct worker_shared *s = engine.shared;
    struct event *e = __builtin_expect(s->event_count < PROTOCOL_EVENTS, true) ? &s->events[s->event_count++]
                                                                               : engine_reuse_event(s);
    e->pc = (uint64_t)pc;
    e->address = address;
    e->before = before;
    e->value = value;
    __builtin_memcpy(&e->thread, &who_and_how, sizeof who_and_how); /* one store instead of six */
}

void engine_show_event(void);

/* In a replay the event that was kept last is shown. */
static inline void engine_notify_readers(void)
{
    if (__builtin_expect(engine.is_shown, false))
        engine_show_event();
}

static inline void engine_add_event(enum event_kind kind, uint64_t address, unsigned size, unsigned order,
                                    uint64_t before, uint64_t value, const void *pc)
{
    struct worker_shared *s = engine.shared;
    uint64_t who_and_how = engine_who_and_how(kind, size, order);
    engine_keep_event(who_and_how, address, before, value, pc);
    s->event_hash = (s->event_hash ^ ((uint64_t)pc * 31 + address + value * 7 + (who_and_how << 40))) *
                    0x9e3779b97f4a7c15u;
    s->steps++;
    engine_notify_readers();
}

/* In a schedule the thread came by an access that changed nothing: makes it wait if it is in a loop of such accesses. */
static inline void engine_watch_spinning(uint64_t address, unsigned size, uint64_t value, const void *pc)
{
    if (__builtin_expect(!spin_read(address, size, value, (uint64_t)pc), true))
        return;
    if (__builtin_expect(engine.running->marked != 0, false))
        engine_check_spin_for_marks();
    engine.running->spins = true; /* from its next step on */
    engine.waiting |= thread_bit(engine.current);
}

/* ------------------------------------------------------------------ scheduling */

uint32_t engine_choose(void); /* who goes on */
void engine_stop_spinning(void);
void engine_answer_asker(void); /* with the call stack that it wants */

static inline __attribute__((always_inline)) void engine_announce(enum event_kind kind, uint64_t address,
                                                                  unsigned size, const void *pc)
{
    struct port_action *a = &engine.next[engine.current]; /* the rest may be described already */
    a->address = address;
    a->thread = (uint16_t)engine.current;
    a->kind = (uint8_t)kind;
    a->size = (uint8_t)size;
    engine.running->pc = (uint64_t)pc;
}

static inline __attribute__((always_inline)) void engine_switch_to(uint32_t chosen)
{
    struct thread *from = engine.running, *to = &engine.threads[chosen];
    engine.current = chosen;
    engine.running = to;
    spin_switch(&to->spin);
    live_left = from->live.modes = live_modes();
    fiber_switch(&from->fiber, &to->fiber);
    if (__builtin_expect(live_left != from->live.modes, false))
        live_set_modes(from->live.modes);
}

/* Returns in the current thread when it is its turn again. */
static inline __attribute__((always_inline)) void engine_schedule(void)
{
    uint32_t chosen = __builtin_expect(engine_graph_mode, false) ? graph_mode_choose() : engine_choose();
    if (chosen == engine.current)
        return;
    frames_note(engine.running, FRAMES_SP);
    engine_switch_to(chosen);
    if (__builtin_expect(engine.wanted_stack != NULL, false))
        engine_answer_asker();
}

/* engine_step */
static inline __attribute__((always_inline)) void engine_step_inline(enum event_kind kind, uint64_t address,
                                                                     unsigned size, const void *pc)
{
    engine_active = false;
    engine_announce(kind, address, size, pc);
    if (__builtin_expect(engine_graph_mode, false))
        graph_mode_arrive(pc);
    engine_schedule();
    if (__builtin_expect(engine.running->spins, false))
        engine_stop_spinning();
    engine_active = true;
}

/* ------------------------------------------------------------------ accesses */

/* Stacks and the heap lie side by side: one comparison distinguishes nearly all variables from both. */
_Static_assert(FIBER_BASE + FIBER_ROOM == HEAP_BASE && FIBER_ROOM == UINT64_C(1) << 40, "as this has it");
static inline bool engine_is_checked(uint64_t address)
{
    return (address - FIBER_BASE) >> 40 <= 1;
}

/* The order by which races are judged. */
static inline unsigned engine_judged_order(unsigned order)
{
    return __builtin_expect(engine.all_seq_cst, false) ? ORDER_SEQ_CST : order;
}

/* Fails when it races. */
void engine_check_atomic(enum event_kind kind, uint64_t address, unsigned size, unsigned order,
                         const void *pc);

/* Fails when the current thread, which accesses the heap there, is not ordered after the allocation of the block. */
void engine_check_known(uint64_t address, size_t size, bool writes, bool atomic, const void *pc);
static inline void engine_check_known_quick(uint64_t address, size_t size, bool writes, bool atomic,
                                            const void *pc)
{
    if (__builtin_expect(!heap_is_known_quick(address, engine.current), false))
        engine_check_known(address, size, writes, atomic, pc);
}

/* engine_atomic */
static inline __attribute__((always_inline)) void engine_atomic_inline(enum event_kind kind, uint64_t address,
                                                                       unsigned size, unsigned order,
                                                                       uint64_t before, uint64_t value,
                                                                       const void *pc)
{
    if (kind == EVENT_WRITE || kind == EVENT_UPDATE)
        undefined_write(address, size);
    if (__builtin_expect(engine_graph_mode, false)) {
        graph_mode_atomic(kind, address, size, order, before, value, pc);
        return;
    }
    bool checked = engine_is_checked(address);
    if (checked)
        frames_check_foreign(engine.running, address, size, true, pc);
    if (__builtin_expect(engine.running->has_visitors, false) && kind != EVENT_WRITE)
        frames_see_visitors(address);
    bool fine = clocks_atomic_quick(engine.clocks, engine.current, kind, address, size,
                                    engine_judged_order(order), (uint64_t)pc);
    engine_add_event(kind, address, size, order, before, value, pc); /* first: it may be the last one */
    if (__builtin_expect(!fine, false))
        engine_check_atomic(kind, address, size, order, pc);
    if (checked)
        engine_check_known_quick(address, size, kind == EVENT_WRITE || kind == EVENT_UPDATE, true, pc);
    if (kind == EVENT_READ || kind == EVENT_CAS_FAILED || (before == value && size <= sizeof value))
        engine_watch_spinning(address, size, before, pc);
    else
        spin_effect(&engine.running->spin);
}

enum { ENGINE_WRITES = 1 << 8 }; /* in `touched` */

/* What a thread does next depends on what it has found, with plain reads, too. Explorers of graphs want to know. */
static inline void engine_note_found(struct thread *t, uint64_t address, size_t size, const void *pc)
{
    t->touched++;
    t->read_address = address;
    fold_note_read(&t->fold, address, size);
    if (__builtin_expect(live_wanted, false) && graph_mode_only_updates(t, address, size, pc))
        return;
    for (size_t done = 0; done < size; done += sizeof(uint64_t)) {
        uint64_t word = 0;
        size_t part = size - done < sizeof word ? size - done : sizeof word;
        __builtin_memcpy(&word, (const void *)(address + done), part);
        t->found = (t->found ^ word ^ (address + done)) * 0x9e3779b97f4a7c15u + 1;
    }
}

/* May others know the memory? For rounds of loops. */
static inline bool engine_is_known(const struct thread *t, uint64_t address)
{
    return !fiber_has_on_stack(&t->fiber, address) || t->is_visited;
}

/* The thread is about to write plainly, not to its own stack. */
static inline void engine_note_plain_write(struct thread *t, uint64_t address, size_t size, const void *pc)
{
    if (t->spin.since_effect) /* else nothing is compared with what was before */
        graph_mode_note_plain_write(t, address, size, pc);
}

static inline void engine_note_own_write(struct thread *t, uint64_t end)
{
    t->fold.changed |= t->is_visited;
    fold_note_own_write(&t->fold, end);
}

/* For the search for what threads share. */
static inline void engine_note_shared(const struct thread *t, uint64_t address, size_t size, bool writes)
{
    if (__builtin_expect(graph_mode_interest.shares_nothing, false) &&
        !fiber_has_on_stack(&t->fiber, address))
        stretches_note(address, size, writes);
}

static inline void engine_note_stack(const struct thread *t, uint64_t address)
{
    if (__builtin_expect(fiber_is_near_stacks(address), false) && !graph_mode_interest.shares_stacks &&
        !fiber_has_on_stack(&t->fiber, address))
        graph_mode_share_stacks();
}

/* While no thread accesses the stack of another there is nothing to check on it. */
static inline bool engine_is_private(const struct thread *t, uint64_t address, size_t size)
{
    return fiber_is_near_stacks(address) && !graph_mode_interest.shares_stacks &&
           fiber_has_on_stack(&t->fiber, address) && !graph_mode_concerns(address, size);
}

/* Is there nothing wrong with the place, without looking twice? */
static inline __attribute__((always_inline)) bool engine_is_usable_quick(const struct thread *t,
                                                                         uint64_t address, size_t size,
                                                                         uint64_t sp)
{
    if (!__builtin_expect(engine_is_checked(address), false))
        return address >= NEVER_MAPPED && !red_zones_may_touch(address, size);
    if (!fiber_is_near_stacks(address))
        return heap_is_usable_quick(address, size) && heap_is_known_quick(address, engine.current);
    return fiber_has_on_stack(&t->fiber, address) && !frames_may_be_dead(t, address, sp);
}

/* In a schedule: is there nothing to do but to look for races? */
static inline __attribute__((always_inline)) bool engine_plain_is_common(const struct thread *t,
                                                                         uint64_t address, size_t size,
                                                                         uint64_t sp)
{
    return __builtin_expect(!(t->spin.recording | engine.plain_is_special), true) &&
           __builtin_expect(engine_is_usable_quick(t, address, size, sp), true);
}

static inline void engine_plain_done(struct thread *t, uint64_t address, bool writes)
{
    if (writes && !fiber_has_on_stack(&t->fiber, address))
        spin_effect(&t->spin);
}

/* engine_plain by a graph; `compiled`: engine_plain_compiled; `sp`: FRAMES_SP of a function that the program calls */
static inline __attribute__((always_inline)) void engine_plain_graph_mode(uint64_t address, size_t size,
                                                                          bool writes, bool compiled,
                                                                          uint64_t sp, const void *pc)
{
    struct thread *t = engine.running;
    bool usable = engine_is_usable_quick(t, address, size, sp);
    if (!usable)
        frames_check_own(address, size, sp, pc);
    if (engine_is_private(t, address, size)) {
        if (writes)
            t->touched += ENGINE_WRITES;
        else
            engine_note_found(t, address, size, pc);
        return;
    }
    engine_note_stack(t, address);
    if (usable)
        engine_note_shared(t, address, size, writes);
    graph_mode_learn_clock();
    if (__builtin_expect(
            !usable || t->spin.recording || engine.keeps_plain || graph_mode_concerns(address, size) ||
                !clocks_plain_quick(engine.clocks, engine.current, address, size, writes, (uint64_t)pc),
            false)) {
        (compiled ? engine_plain_compiled : engine_plain)(address, size, writes, pc);
    } else if (!writes) {
        t->fold.looked |= engine_is_known(t, address);
        engine_note_found(t, address, size, pc);
    } else {
        t->touched += ENGINE_WRITES;
        if (__builtin_expect(live_wanted, false))
            graph_mode_note_access(address, size);
        if (!fiber_has_on_stack(&t->fiber, address))
            engine_note_plain_write(t, address, size, pc);
        else
            engine_note_own_write(t, address + size);
    }
}

/* engine_plain, of a function that does not know the stack pointer of the program. */
static inline __attribute__((always_inline)) void engine_plain_inline(uint64_t address, size_t size,
                                                                      bool writes, const void *pc)
{
    struct thread *t = engine.running;
    if (writes)
        undefined_write(address, size);
    if (__builtin_expect(engine_graph_mode, false))
        engine_plain_graph_mode(address, size, writes, false, 0, pc);
    else if (engine_plain_is_common(t, address, size, 0) &&
             clocks_plain_quick(engine.clocks, engine.current, address, size, writes, (uint64_t)pc))
        engine_plain_done(t, address, writes);
    else
        engine_plain(address, size, writes, pc);
}

#endif

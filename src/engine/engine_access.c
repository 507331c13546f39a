/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of the program under test, plain and atomic: races, spinning, and what the reader is shown of them. */
#include "engine/engine.h"

#include "engine/engine_quick.h"
#include "engine/engine_state.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/graph_mode/plain_steps.h"
#include "engine/memory/undefined_bits.h"
#include "engine/memory/variable_bounds.h"

/* Of a loop that waits for plain memory to change a few rounds are enough: how many there are depends on when it is found out. */
static bool is_repeated(uint64_t address, const void *pc)
{
    enum { ROUND = 8, ROUNDS = 16 };
    static uint32_t repeated;
    const struct worker_shared *s = engine.shared;
    for (uint32_t k = s->event_count; k-- > 0 && k + ROUND >= s->event_count;) {
        const struct event *e = &s->events[k];
        if (e->kind != EVENT_PLAIN_READ || e->thread != engine.current)
            break;
        if (e->pc == (uint64_t)pc && e->address == address)
            return ++repeated > ROUNDS;
    }
    repeated = 0;
    return false;
}

/* Plain accesses are for the reader only: neither steps nor hash may depend on whether they are kept. */
static __attribute__((noinline)) void keep_plain(uint64_t address, size_t size, bool writes, const void *pc)
{
    uint64_t watched = engine.shared->config.watched;
    if ((watched && watched - address >= size) || (!writes && is_repeated(address, pc)))
        return;
    enum event_kind kind = writes ? EVENT_PLAIN_WRITE : EVENT_PLAIN_READ;
    engine_keep_event(engine_who_and_how(kind, (unsigned)(size < 255 ? size : 255), ORDER_PLAIN), address, 0,
                      0, pc);
    engine_notify_readers();
}

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
    if (writes)
        undefined_write(address, size);
    if (__builtin_expect(!engine_graph_mode && (races_allowed || relaxed), false))
        let_others_go(address, size, writes, pc);
    if (__builtin_expect(engine.keeps_plain, false) && !(plain_steps_on && plain_is_step(address, size)))
        keep_plain(address, size, writes, pc); /* before the checks: it may be the last */
    red_zones_check(address, size, writes ? "write" : "read", pc);
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
    heap_use((const void *)address, 0, 0);
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
    bool noted = engine.count > 1 && !plain_steps_on;
    if (!clocks_use_object(engine.clocks, engine.current, address, size, noted, (uint64_t)pc, &r)) {
        r.second_uses = true;
        failure_report_race(&r);
    }
}

void engine_step_leaving(enum event_kind kind, uint64_t object, size_t size, const void *pc)
{
    engine_use_object(object, size, pc);
    engine_step(kind, object, 0, pc);
}

void engine_system_read(uint64_t address, size_t size, const void *pc)
{
    check_races(address, size, false, true, pc);
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

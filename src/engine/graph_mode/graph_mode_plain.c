/* SPDX-License-Identifier: Apache-2.0 */
/* Plain accesses to locations of the graph. */
#include "engine/graph_mode/graph_mode.h"
#include "base/vec.h"
#include "engine/engine_quick.h"
#include "engine/graph_mode/contents.h"
#include "engine/graph_mode/plain_split.h"
#include "engine/graph_mode/plain_steps.h"
#include "engine/real.h"
#include "explore/graphs_memory.h"

#include <string.h>

static uint64_t unsettled_address; /* of graph_mode_interest.unsettled bytes */

/* Calls `act` for every location of the graph that the bytes touch. */
static void for_locations(uint64_t address, size_t size, void (*act)(uint64_t address, unsigned size))
{
    uint64_t at = address, location;
    unsigned length;
    while (explore_graphs_next_location(engine.explorer, at, address + size, &location, &length)) {
        act(location, length);
        at = location + length;
    }
}

static void note_content(uint64_t address, unsigned size)
{
    if (plain_steps_on)
        contents_forget(address);
    else if (fiber_is_near_stacks(address))
        contents_note(address, size);
}

static void show_newest(uint64_t address, unsigned size)
{
    event_word value;
    if (explore_graphs_plain_read(engine.explorer, engine.current, address, size, &value) &&
        memcmp((const void *)address, &value, size) != 0) /* the program may not be able to write any more */
        real.memcpy((void *)address, &value, size);
    note_content(address, size);
}

static void report_write(uint64_t address, unsigned size)
{
    event_word value = 0;
    real.memcpy(&value, (const void *)address, size);
    explore_graphs_plain_write(engine.explorer, engine.current, address, size, value);
    note_content(address, size);
}

/* The current thread has events now that are no steps. */
static void note_plain_events(void)
{
    graph_mode_interest.clock_unknown = true;
}

void engine_restart_objects(uint64_t address, size_t size, uint64_t value)
{
    if (!engine_graph_mode)
        return;
    graph_mode_settle();
    explore_graphs_restart_objects(engine.explorer, engine.current, address, address + size, value);
    note_plain_events();
}

/* The value of a plain write is known only once it has happened. */
void graph_mode_settle_write(void)
{
    size_t size = graph_mode_interest.unsettled;
    graph_mode_interest.unsettled = 0;
    for_locations(unsettled_address, size, report_write);
    note_plain_events();
}

uint64_t graph_mode_find_place(const struct graphs_access *access)
{
    const struct worker_shared *s = engine.shared;
    const struct event *found = NULL;
    for (uint32_t k = 0; k < s->event_count; k++) {
        const struct event *e = &s->events[k];
        bool writes = e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
        bool reads = e->kind == EVENT_READ || e->kind == EVENT_CAS_FAILED;
        if (e->thread == access->thread && e->address == access->address &&
            (access->writes ? writes : writes || reads))
            found = e;
    }
    return found ? found->pc : 0;
}

/* Atomic accesses are in the graph and nowhere else. */
static void check_plain(uint64_t address, size_t size, bool writes, const void *pc)
{
    struct graphs_access first;
    if (!explore_graphs_unordered(engine.explorer, engine.current, address, size, writes, &first))
        return;
    failure_report_race(&(struct race){
        .address = first.address > address ? first.address : address,
        .first_thread = first.thread,
        .second_thread = engine.current,
        .first_pc = graph_mode_find_place(&first),
        .second_pc = (uint64_t)pc,
        .first_writes = first.writes,
        .second_writes = writes,
        .first_atomic = true,
        .first_size = first.size,
        .second_size = (uint8_t)(size < UINT8_MAX ? size : UINT8_MAX),
    });
}

static void note_overwritten(uint64_t address, unsigned size)
{
    if (explore_graphs_was_accessed(engine.explorer, address))
        fold_add_overwritten(explore_graphs_unfinished(engine.explorer, engine.current), address, size);
}

/* Memory that the thread is about to write, or has just written, holds what it should. */
static void show_newest_elsewhere(uint64_t address, unsigned size)
{
    if (address >= unsettled_address + graph_mode_interest.unsettled || unsettled_address >= address + size)
        show_newest(address, size);
}

/* gcc announces what `*a = *b` writes before what it reads, and copies after both: the value is not known yet. */
static void read_before_write(uint64_t address, size_t size, const void *pc)
{
    graph_mode_learn_clock();
    if (!graph_mode_concerns(address, size))
        return;
    check_plain(address, size, false, pc);
    for_locations(address, size, show_newest_elsewhere);
}

/* A race with an atomic read of a round that only waits could be missed if no execution has the round. */
static void find_out_overwritten(uint64_t address, size_t size)
{
    if (explore_graphs_exposed(engine.explorer, engine.current) &&
        !explore_graphs_knows(engine.explorer, GRAPHS_OVERWRITTEN, 0) &&
        explore_graphs_ever_accessed(engine.explorer, address, size))
        plain_find_out(GRAPHS_OVERWRITTEN, 0);
}

bool graph_mode_is_location(uint64_t address, size_t size)
{
    uint64_t location;
    unsigned length;
    return graph_mode_has_location(address, size) &&
           explore_graphs_next_location(engine.explorer, address, address + size, &location, &length);
}

/* Does it count in a place that no thread makes other use of, for all that is known? */
static bool counts(const struct thread *t, uint64_t address, size_t size, const void *pc)
{
    if (!live_wanted || t->updated != address || !fold_updates((uint64_t)pc, true))
        return false;
    explore_graphs_plain_count(engine.explorer, engine.current, address, size);
    return true;
}

/* A write to a location of the graph is an event. While something with an effect is sure to come, nothing is kept. */
void graph_mode_note_plain_write(struct thread *t, uint64_t address, size_t size, const void *pc)
{
    if (!engine_graph_mode || plain_steps_on || t->spin.mark_pc == SPIN_UNWATCHED ||
        graph_mode_is_location(address, size) ||
        !undo_note(&t->undo, address, size, counts(t, address, size, pc))) {
        spin_effect(&t->spin);
        return;
    }
    if (fold_looks)
        fold_note_write(&t->fold, address, size);
    t->fold.changed = true;
    t->spin.wrote = true;
}

bool graph_mode_only_updates(struct thread *t, uint64_t address, size_t size, const void *pc)
{
    bool updates =
        fold_updates((uint64_t)pc, false) && explore_graphs_is_unread(engine.explorer, address, size);
    t->updated = updates ? address : 0;
    graph_mode_note_access(address, size);
    if (!updates)
        explore_graphs_plain_use(engine.explorer, address, size);
    return updates;
}

void graph_mode_note_access(uint64_t address, size_t size)
{
    explore_graphs_plain_access(engine.explorer, engine.current, address, size);
}

void graph_mode_plain(uint64_t address, size_t size, bool writes, const void *pc)
{
    if (!writes && graph_mode_interest.unsettled && !plain_steps_on) {
        read_before_write(address, size, pc);
        return;
    }
    graph_mode_settle();
    graph_mode_learn_clock();
    if (!graph_mode_concerns(address, size))
        return;
    if (writes && fold_is_on) {
        graph_mode_note_exposed_write(address, size, false);
        for_locations(address, size, note_overwritten);
    } else if (writes && !plain_steps_on) {
        find_out_overwritten(address, size);
    }
    check_plain(address, size, writes, pc);
    for_locations(address, size, show_newest); /* a partial write keeps the rest */
    if (writes) {
        unsettled_address = address;
        graph_mode_interest.unsettled = size;
    }
}

bool engine_is_in_graph(uint64_t address, size_t size)
{
    return engine_graph_mode && graph_mode_has_location(address, size);
}

void engine_plain_late(uint64_t address, size_t size, const void *pc)
{
    static VEC(char) written;
    bool shown = engine_is_in_graph(address, size);
    if (shown) {
        vec_reserve(&written, size);
        real.memcpy(written.data, (const void *)address, size);
    }
    engine_plain(address, size, true, pc);
    if (shown)
        real.memcpy((void *)address, written.data, size);
}

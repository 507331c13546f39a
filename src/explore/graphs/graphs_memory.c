/* SPDX-License-Identifier: Apache-2.0 */
/* Plain accesses to locations that atomic steps touch, and what happens before what. */
#include "explore/graphs/graphs_inside.h"

#include <string.h>

const uint16_t *explore_graphs_clock(const struct explorer *e, uint32_t thread, uint32_t *width)
{
    static const uint16_t nothing[GRAPH_THREADS_MAX];
    const struct graphs *x = graphs_of(e);
    uint32_t at = thread < GRAPH_THREADS_MAX ? x->run.at[thread] : GRAPH_NONE;
    *width = (x->g->thread_count + 3) & ~UINT32_C(3);
    return at == GRAPH_NONE ? nothing : (const uint16_t *)graph_clock(x->g, at, CLOCK_HB);
}

/* What the event has of another thread: the one it got it from, or GRAPH_NONE. */
static uint32_t source_of(const struct graph *g, const struct graph_event *ev)
{
    switch (ev->type) {
    case GRAPH_READ: return ev->rf;
    case GRAPH_BEGIN: return g->threads[ev->thread].create;
    case GRAPH_JOIN: return g->threads[ev->address].last;
    default: return GRAPH_NONE;
    }
}

static bool are_causes_ordered(const struct graph *g, uint32_t at)
{
    return g->has_twins && !(g->events[at].flags & GRAPH_LOOSE);
}

/* For each thread, how many of its events are causes of the event. The clocks have the order of twins in them as well, which is
 * none of the program. */
static void find_causes(const struct graph *g, uint32_t at, int16_t *causes)
{
    if (!g->has_twins || are_causes_ordered(g, at)) {
        enum graph_clock clock = g->has_twins ? CLOCK_HB : CLOCK_PORF;
        memcpy(causes, graph_clock(g, at, clock), g->thread_count * sizeof *causes);
        return;
    }
    memset(causes, 0, g->thread_count * sizeof *causes);
    causes[g->events[at].thread] = (int16_t)(g->events[at].index + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < g->thread_count; t++)
            for (uint32_t e = g->threads[t].first; e != GRAPH_NONE && g->events[e].index < causes[t];
                 e = g->events[e].po_after) {
                uint32_t from = source_of(g, &g->events[e]);
                if (from == GRAPH_NONE || g->events[from].type == GRAPH_INIT ||
                    g->events[from].index < causes[g->events[from].thread])
                    continue;
                causes[g->events[from].thread] = (int16_t)(g->events[from].index + 1);
                changed = true;
            }
    }
}

uint64_t explore_graphs_exposed(const struct explorer *e, uint32_t thread)
{
    const struct graphs *x = graphs_of(e);
    uint32_t at = thread < GRAPH_THREADS_MAX ? x->run.at[thread] : GRAPH_NONE;
    uint64_t exposed = 0;
    if (at == GRAPH_NONE || are_causes_ordered(x->g, at))
        return 0;
    int16_t causes[GRAPH_THREADS_MAX];
    const int16_t *before = graph_clock(x->g, at, CLOCK_HB);
    find_causes(x->g, at, causes);
    for (uint32_t t = 0; t < x->g->thread_count; t++)
        exposed |= (uint64_t)(t != thread && causes[t] > before[t]) << t;
    return exposed;
}

void explore_graphs_exposed_to(const struct explorer *e, uint32_t thread, uint32_t other, uint32_t *from,
                               uint32_t *to)
{
    const struct graphs *x = graphs_of(e);
    *from = (uint32_t)graph_clock(x->g, x->run.at[thread], CLOCK_HB)[other];
    int16_t causes[GRAPH_THREADS_MAX];
    find_causes(x->g, x->run.at[thread], causes);
    *to = (uint32_t)causes[other];
}

uint32_t explore_graphs_unfinished(const struct explorer *e, uint32_t thread)
{
    const struct graphs *x = graphs_of(e);
    uint32_t at = x->run.at[thread], unfinished = ~(UINT32_C(1) << thread);
    bool others = at == GRAPH_NONE;
    for (uint32_t t = 0; at != GRAPH_NONE && t < x->g->thread_count; t++) {
        const struct graph_thread *other = &x->g->threads[t];
        bool ended = graphs_has_ended(x->g, t) &&
                     graph_includes(graph_clock(x->g, at, CLOCK_HB), &x->g->events[other->last]);
        unfinished &= ~((uint32_t)ended << t);
        others |= !ended && t != thread && (t == 0 || other->create != GRAPH_NONE);
    }
    return others ? unfinished : 0;
}

uint32_t explore_graphs_position(const struct explorer *e, uint32_t thread, uint32_t reads)
{
    const struct graphs *x = graphs_of(e);
    uint32_t position = x->run.at[thread] == GRAPH_NONE ? 0 : x->g->events[x->run.at[thread]].index + 1u;
    for (uint32_t at = x->run.at[thread]; reads && at != GRAPH_NONE; at = x->g->events[at].po_before)
        if (x->g->events[at].type == GRAPH_READ && !(x->g->events[at].flags & GRAPH_PART)) {
            position = x->g->events[at].index;
            reads--;
        }
    return position;
}

static bool is_ordering_access(const struct graph_event *ev)
{
    return (ev->type == GRAPH_READ || ev->type == GRAPH_WRITE) && event_is_access(ev->label.kind);
}

uint32_t explore_graphs_last_access(const struct explorer *e, uint32_t thread)
{
    const struct graph *g = graphs_of(e)->g;
    uint32_t at = thread < GRAPH_THREADS_MAX ? graphs_of(e)->run.at[thread] : GRAPH_NONE;
    while (at != GRAPH_NONE && !is_ordering_access(&g->events[at]))
        at = g->events[at].po_before;
    if (at == GRAPH_NONE)
        return UINT32_MAX;
    return g->events[graph_first_of_step(g, at)].index;
}

/* Of the thread's first events, how many others may come to know it by. */
static uint32_t count_published(const struct graph *g, uint32_t thread, uint32_t events)
{
    uint32_t count = 0;
    for (uint32_t e = g->threads[thread].first; e != GRAPH_NONE && g->events[e].index < events;
         e = g->events[e].po_after)
        count += g->events[e].type == GRAPH_WRITE || g->events[e].type == GRAPH_CREATE ||
                 g->events[e].type == GRAPH_END;
    return count;
}

uint32_t explore_graphs_published(const struct explorer *e, uint32_t thread)
{
    const struct graphs *x = graphs_of(e);
    return count_published(x->g, thread, explore_graphs_position(e, thread, 0));
}

uint32_t explore_graphs_known(const struct explorer *e, uint32_t thread, uint32_t other)
{
    const struct graphs *x = graphs_of(e);
    if (x->run.at[thread] == GRAPH_NONE || other >= x->g->thread_count)
        return 0;
    return (uint32_t)graph_clock(x->g, x->run.at[thread], CLOCK_PORF)[other];
}

uint32_t explore_graphs_known_published(const struct explorer *e, uint32_t thread, uint32_t other)
{
    return count_published(graphs_of(e)->g, other, explore_graphs_known(e, thread, other));
}

/* The location at an address of memory, if the graph knows it. */
static uint32_t known_location(const struct graphs *x, uint64_t address)
{
    uint32_t site = hash_map_get(&x->sites.numbers, address);
    if (site == HASH_NO_NUMBER || site >= x->g->location_count || x->g->locations[site].init == GRAPH_NONE)
        return GRAPH_NONE;
    return site;
}

static bool is_recorded_write(const struct graphs *x, uint32_t e, uint64_t address, event_word value)
{
    const struct graph_event *ev = &x->g->events[e];
    return ev->type == GRAPH_WRITE && ev->label.kind == EVENT_PLAIN_WRITE && ev->address == address &&
           ev->value == value;
}

/* Without a race everything else at the location happens before or after: the write is the last in mo, and no read is to be
 * offered its value but by the steps to come. */
static void add_plain_write(struct graphs *x, uint32_t thread, uint32_t location, event_word value)
{
    struct graph *g = x->g;
    graph_reserve(g, 1, 0);
    uint32_t w = graph_append(g, thread, GRAPH_WRITE);
    struct graph_event *ev = &g->events[w];
    ev->label = (struct graph_label){EVENT_PLAIN_WRITE, OPERATION_STORE, ORDER_PLAIN, ORDER_PLAIN};
    ev->order = ORDER_PLAIN;
    ev->value = ev->operand = value;
    ev->expected = 0;
    ev->address = g->locations[location].address;
    ev->size = g->locations[location].size;
    graph_join_location(g, w, location);
    graph_complete_write(g, w);
    graph_place(g, w, g->locations[location].mo_last);
    x->run.at[thread] = w;
    graphs_note_thread(x, thread);
    vec_push(&x->run.happened, ((struct graphs_happened){w, thread}));
}

/* A write that is not the thread's next recorded event came before the graph knew the location: it belongs to
 * the initial value. */
void explore_graphs_plain_write(struct explorer *e, uint32_t thread, uint64_t address, unsigned size,
                                event_word value)
{
    struct graphs *x = graphs_of(e);
    uint32_t location = known_location(x, address);
    if (location == GRAPH_NONE || thread >= GRAPH_THREADS_MAX)
        return;
    uint32_t recorded = x->run.cursor[thread];
    if (recorded != GRAPH_NONE) {
        if (is_recorded_write(x, recorded, address, value))
            graphs_pass(x, recorded);
        return;
    }
    if (x->g->locations[location].size != size)
        x->run.refused = GRAPHS_MIXED_SIZES;
    else if (x->g->locations[location].mutex)
        graphs_give_up_mutex(x, location);
    else
        add_plain_write(x, thread, location, value);
}

/* Not so: steps still to be repeated, and reads that wait. */
static bool has_happened(const struct graphs *x, const struct graph_event *ev)
{
    if (ev->type == GRAPH_INIT)
        return false;
    uint32_t at = x->run.at[ev->thread];
    return at != GRAPH_NONE && ev->index <= x->g->events[at].index;
}

/* Has any step looked at the location in this execution? */
static bool was_touched(const struct graphs *x, uint32_t location)
{
    uint32_t e = x->g->locations[location].last;
    while (e != GRAPH_NONE && !has_happened(x, &x->g->events[e]))
        e = x->g->events[e].location_before;
    return e != GRAPH_NONE;
}

bool explore_graphs_plain_read(const struct explorer *e, uint32_t thread, uint64_t address, unsigned size,
                               event_word *value)
{
    const struct graphs *x = graphs_of(e);
    uint32_t location = known_location(x, address), width;
    if (location == GRAPH_NONE || x->g->locations[location].size != size || !was_touched(x, location))
        return false; /* or memory holds what the initial value is still to become */
    const int16_t *hb = (const int16_t *)explore_graphs_clock(e, thread, &width);
    uint32_t w = x->g->locations[location].mo_last;
    while (!graph_includes(hb, &x->g->events[w]))
        w = x->g->events[w].mo_before;
    *value = x->g->events[w].value;
    return true;
}

void explore_graphs_plain_found(struct explorer *e, uint32_t thread, uint64_t hash)
{
    struct graphs *x = graphs_of(e);
    if (thread >= GRAPH_THREADS_MAX)
        return;
    x->run.plain[thread] = hash_word(hash) | 1;
    graphs_note_thread(x, thread);
}

void explore_graphs_plain_use(struct explorer *e, uint64_t address, size_t size)
{
    graphs_note_use(graphs_of(e), address, size);
}

void explore_graphs_plain_access(struct explorer *e, uint32_t thread, uint64_t address, size_t size)
{
    uint64_t exposed = explore_graphs_exposed(e, thread);
    if (exposed)
        graphs_note_exposed(graphs_of(e), exposed, address, size);
}

void explore_graphs_plain_count(struct explorer *e, uint32_t thread, uint64_t address, size_t size)
{
    struct graphs *x = graphs_of(e);
    vec_push(&x->run.counted,
             ((struct graphs_counted){thread, explore_graphs_position(e, thread, 0), address, size}));
}

bool explore_graphs_is_unread(const struct explorer *e, uint64_t address, size_t size)
{
    return !graphs_is_used(graphs_of(e), address, size);
}

bool explore_graphs_next_location(const struct explorer *e, uint64_t from, uint64_t end, uint64_t *address,
                                  unsigned *size)
{
    const struct graph *g = graphs_of(e)->g;
    const struct graph_location *lowest = NULL;
    for (uint32_t i = 0; i < g->location_count; i++) {
        const struct graph_location *l = &g->locations[i];
        if (l->init == GRAPH_NONE || l->address & GRAPHS_OBJECT || l->address >= end ||
            l->address + l->size <= from)
            continue;
        if (!lowest || l->address < lowest->address)
            lowest = l;
    }
    if (!lowest)
        return false;
    *address = lowest->address;
    *size = lowest->size;
    return true;
}

/* The object with the lowest address in [from, end). */
static const struct graph_location *next_object(const struct graph *g, uint64_t from, uint64_t end)
{
    const struct graph_location *lowest = NULL;
    for (uint32_t i = 0; i < g->location_count; i++) {
        const struct graph_location *l = &g->locations[i];
        if (l->init != GRAPH_NONE && l->address >= from && l->address < end &&
            (!lowest || l->address < lowest->address))
            lowest = l;
    }
    return lowest;
}

/* By address, so that the order is the same in all processes. */
void explore_graphs_restart_objects(struct explorer *e, uint32_t thread, uint64_t from, uint64_t end,
                                    event_word value)
{
    const struct graph_location *l;
    from |= GRAPHS_OBJECT;
    while ((l = next_object(graphs_of(e)->g, from, end | GRAPHS_OBJECT))) {
        from = l->address + 1;
        explore_graphs_plain_write(e, thread, l->address, l->size, value);
    }
}

/* --- races ------------------------------------------------------------------------------------------ */

/* Plain accesses are not looked at here, nor steps of other kinds that look at memory (futexes). */
static bool is_atomic_access(const struct graph_event *ev)
{
    uint8_t kind = ev->label.kind;
    return ev->type != GRAPH_INIT && (kind == EVENT_READ || kind == EVENT_WRITE || kind == EVENT_UPDATE);
}

/* The newest atomic access to the location that has happened and is not in the clock; `writes`: a write. */
static uint32_t find_access(const struct graphs *x, uint32_t location, const int16_t *clock, bool writes)
{
    const struct graph *g = x->g;
    uint32_t e = g->locations[location].last;
    for (; e != GRAPH_NONE; e = g->events[e].location_before) {
        const struct graph_event *ev = &g->events[e];
        if (is_atomic_access(ev) && !(writes && ev->type != GRAPH_WRITE) && !graph_includes(clock, ev) &&
            has_happened(x, ev))
            break;
    }
    return e;
}

bool explore_graphs_unordered(const struct explorer *e, uint32_t thread, uint64_t address, size_t size,
                              bool writes, struct graphs_access *found)
{
    const struct graphs *x = graphs_of(e);
    uint32_t width, at;
    const int16_t *clock = (const int16_t *)explore_graphs_clock(e, thread, &width);
    uint64_t from = address, location;
    unsigned length;
    while (explore_graphs_next_location(e, from, address + size, &location, &length)) {
        at = find_access(x, known_location(x, location), clock, !writes);
        from = location + length;
        if (at == GRAPH_NONE)
            continue; /* own accesses are in the clock */
        found->address = x->g->events[at].address;
        found->thread = x->g->events[at].thread;
        found->size = x->g->events[at].size;
        found->writes = x->g->events[at].type == GRAPH_WRITE;
        return true;
    }
    return false;
}

bool explore_graphs_was_accessed(const struct explorer *e, uint64_t address)
{
    static const int16_t nothing[GRAPH_THREADS_MAX];
    const struct graphs *x = graphs_of(e);
    return find_access(x, known_location(x, address), nothing, false) != GRAPH_NONE;
}

bool explore_graphs_ever_accessed(const struct explorer *e, uint64_t address, uint64_t size)
{
    const struct graphs *x = graphs_of(e);
    const uint64_t most = 1 << 12; /* rather yes than a long search */
    for (uint64_t a = address; size <= most && a < address + size; a++)
        if (hash_map_get(&x->sites.numbers, a) != HASH_NO_NUMBER)
            return true;
    return size > most;
}

/* Has another thread taken a step there that is not in the clock? */
static bool is_in_use(const struct graphs *x, const struct graph_location *l, const int16_t *clock,
                      uint32_t *user)
{
    for (uint32_t at = l->last; at != GRAPH_NONE; at = x->g->events[at].location_before) {
        const struct graph_event *ev = &x->g->events[at];
        if (ev->type == GRAPH_INIT || graph_includes(clock, ev) || !has_happened(x, ev))
            continue;
        *user = ev->thread;
        return true;
    }
    return false;
}

bool explore_graphs_object_in_use(const struct explorer *e, uint32_t thread, uint64_t from, uint64_t end,
                                  uint64_t *object, uint32_t *user)
{
    const struct graphs *x = graphs_of(e);
    uint32_t width;
    const int16_t *clock = (const int16_t *)explore_graphs_clock(e, thread, &width);
    const struct graph_location *l;
    from |= GRAPHS_OBJECT;
    while ((l = next_object(x->g, from, end | GRAPHS_OBJECT))) {
        from = l->address + 1;
        *object = l->address & ~GRAPHS_OBJECT;
        if (is_in_use(x, l, clock, user))
            return true;
    }
    return false;
}

static enum graphs_source source_of_read(const struct graph *g, const struct graph_event *read)
{
    const struct graph_event *w = &g->events[read->rf];
    if (w->type == GRAPH_INIT)
        return GRAPHS_FROM_INITIAL;
    return w->label.kind == EVENT_PLAIN_WRITE ? GRAPHS_FROM_PLAIN_WRITE : GRAPHS_FROM_STEP;
}

enum graphs_source explore_graphs_source(const struct explorer *e, uint32_t thread)
{
    const struct graphs *x = graphs_of(e);
    uint32_t at = graph_first_of_step(x->g, x->run.at[thread]);
    const struct graph_event *ev = &x->g->events[at];
    if (ev->type != GRAPH_READ)
        return GRAPHS_FROM_STEP;
    enum graphs_source source = source_of_read(x->g, ev);
    while (ev->flags & GRAPH_MORE) { /* of several parts, the one least sure to be written */
        ev = &x->g->events[ev->po_after];
        enum graphs_source other = source_of_read(x->g, ev);
        source = other > source ? other : source;
    }
    return source;
}

bool explore_graphs_has_read(const struct explorer *e, uint32_t thread, uint64_t address, uint32_t other,
                             uint32_t from)
{
    const struct graphs *x = graphs_of(e);
    for (uint32_t at = x->run.at[thread]; at != GRAPH_NONE; at = x->g->events[at].po_before) {
        const struct graph_event *ev = &x->g->events[at];
        const struct graph_event *w =
            ev->type == GRAPH_READ && ev->rf != GRAPH_NONE ? &x->g->events[ev->rf] : NULL;
        if (w && ev->address == address && w->type == GRAPH_WRITE && w->thread == other && w->index >= from)
            return true;
    }
    return false;
}

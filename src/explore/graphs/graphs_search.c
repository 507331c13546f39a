/* SPDX-License-Identifier: Apache-2.0 */
/* The search through graphs: frames and alternatives. Nothing here runs the program. */
#include "explore/graphs/graphs_inside.h"

#include "base/check.h"
#include "graph/twins.h"

struct graph *graphs_new_graph(struct graphs *x)
{
    struct graph *g = x->search.pool.len > 0
                          ? vec_pop(&x->search.pool)
                          : graph_new(x->model->effective_order, !x->settings.plain_reads_noted);
    g->stores_continue = x->model->stores_continue;
    g->has_twins = graphs_has_twins(x);
    g->has_depths = g->has_twins && x->model->mo_against_causes;
    g->has_wakers = graphs_has_wakers(x);
    g->has_parts = x->sites.has_mixed;
    return g;
}

void graphs_push_frame(struct graphs *x, struct graph *g, uint32_t revisiter, uint32_t revisited)
{
    vec_push(&x->search.frames, ((struct graphs_frame){g, x->search.items.len, revisiter, revisited}));
}

static void graphs_pop_frame(struct graphs *x)
{
    vec_push(&x->search.pool, vec_pop(&x->search.frames).g);
}

void graphs_forget_frames(struct graphs *x)
{
    while (x->search.frames.len > 0)
        graphs_pop_frame(x);
    vec_clear(&x->search.items);
}

/* --- places in mo ----------------------------------------------------------------------------------- */

/* Items are of the last part. */
static void push_place(struct graphs *x, uint32_t w, uint32_t after)
{
    const struct graph *g = x->g;
    uint16_t part = (uint16_t)(g->events[w].index - g->events[graph_first_part(g, w)].index);
    vec_push(&x->search.items, ((struct graphs_item){graph_last_part(g, w), after, ITEM_CO, part}));
}

void graphs_push_places_before(struct graphs *x, uint32_t w, uint32_t last)
{
    const struct graph *g = x->g;
    const int16_t *hb = graph_clock(g, w, CLOCK_HB);
    for (uint32_t next = last; !graph_knows(g, hb, next, &g->events[w]); next = g->events[next].mo_before)
        if (!(g->events[next].flags & GRAPH_UPDATE))
            push_place(x, w, g->events[next].mo_before);
}

void graphs_push_places(struct graphs *x, uint32_t w)
{
    graphs_push_places_before(x, w, x->g->events[w].mo_before);
}

/* All places of a write that is not in mo yet; of several parts, of the first. */
static void push_all_places(struct graphs *x, uint32_t w)
{
    w = graph_first_part(x->g, w);
    const struct graph_event *ev = &x->g->events[w];
    if (ev->flags & GRAPH_UPDATE) {
        push_place(x, w, graph_update_source(x->g, ev));
        return;
    }
    uint32_t last = x->g->locations[ev->location].mo_last;
    graphs_push_places_before(x, w, last);
    push_place(x, w, last);
}

static bool is_allowed(const struct graphs *x, uint32_t e)
{
    return graph_is_after_twin(x->g, e) && x->model->is_consistent(x->g, e);
}

static bool is_placed_well(const struct graphs *x, uint32_t w)
{
    uint32_t part = w;
    while (part != GRAPH_NONE && x->g->events[part].mo_after == GRAPH_NONE)
        part = graph_part_before(x->g, part);
    return part == GRAPH_NONE || is_allowed(x, w);
}

/* To the write of an update from its read. */
static void copy_access(struct graph_event *write, const struct graph_event *read)
{
    write->label = read->label;
    write->order = read->order;
    write->operand = write->expected = 0;
    write->address = read->address;
    write->size = read->size;
}

/* Of a read with several parts, the last of which is r. */
static bool add_parts_of_update(struct graphs *x, uint32_t r)
{
    struct graph *g = x->g;
    struct graphs_parts parts = {.count = 1u + g->events[r].index - g->events[graph_first_part(g, r)].index};
    graph_reserve(g, parts.count, 0);
    const struct graph_event *read = &g->events[r];
    event_word value =
        operation_apply(read->label.operation, read->size, read->operand, read->expected, graph_value(g, r))
            .value;
    uint32_t w = GRAPH_NONE, from = graph_first_part(g, r);
    for (uint32_t k = 0; k < parts.count; k++, from = g->events[from].po_after) {
        w = graphs_append_part(g, read->thread, &parts, k);
        struct graph_event *ev = &g->events[w];
        copy_access(ev, read);
        ev->flags |= GRAPH_UPDATE | GRAPH_LOCKED;
        graph_join_location(g, w, g->events[from].location);
        ev->value = graph_cut_value(g, ev, value);
    }
    graph_complete_parts(g, w);
    graphs_push_revisits(x, w);
    graphs_place_update(g, w);
    return is_placed_well(x, w);
}

bool graphs_add_update(struct graphs *x, uint32_t r)
{
    struct graph *g = x->g;
    if (graph_is_part(&g->events[r]))
        return add_parts_of_update(x, r);
    graph_reserve(g, 1, 0);
    uint32_t w = graph_append(g, g->events[r].thread, GRAPH_WRITE);
    const struct graph_event *read = &g->events[r];
    struct graph_event *ev = &g->events[w];
    copy_access(ev, read);
    ev->flags = GRAPH_UPDATE | GRAPH_LOCKED | (read->flags & GRAPH_LOCK_RULE);
    ev->value =
        operation_apply(read->label.operation, read->size, read->operand, read->expected, read->value).value;
    graph_join_location(g, w, read->location);
    graph_complete_write(g, w);
    graphs_push_revisits(x, w);
    graph_place(g, w, read->rf);
    return is_placed_well(x, w);
}

void graphs_push_picks(struct graphs *x, uint32_t r)
{
    const struct graph_event *ev = &x->g->events[r];
    enum operation o = ev->label.operation;
    if (!operation_picks(o) || ev->expected == OPERATION_NO_PICK)
        return;
    uint32_t next = (uint32_t)ev->expected;
    while ((next = operation_first_pick(o, ev->value, next + 1)) != OPERATION_NO_PICK)
        vec_push(&x->search.items, ((struct graphs_item){x->g->count - 1, r, ITEM_PICK, (uint16_t)next}));
}

void graphs_push_failure(struct graphs *x, uint32_t r)
{
    if (graph_may_fail(x->g, r))
        vec_push(&x->search.items, ((struct graphs_item){x->g->count - 1, r, ITEM_FAIL, 0}));
}

/* A revisit may delete the write of an update and leave its read, or later parts of a read. What the read `decided` picks is
 * decided. */
static bool add_missing(struct graphs *x, uint32_t decided)
{
    struct graph *g = x->g;
    for (uint32_t t = 0; t < g->thread_count; t++) {
        uint32_t last = g->threads[t].last;
        if (last == GRAPH_NONE || g->events[last].type != GRAPH_READ ||
            !(g->events[last].flags & (GRAPH_UPDATE | GRAPH_MORE)) || g->events[last].rf == GRAPH_NONE)
            continue;
        if (g->events[last].flags & GRAPH_MORE) {
            if (!graphs_add_parts(x, last))
                return false;
            continue;
        }
        if (last != decided)
            graphs_push_picks(x, last);
        if (!graphs_add_update(x, last))
            return false;
    }
    return true;
}

/* --- taking alternatives ---------------------------------------------------------------------------- */

/* Under the rule for mutexes a lock that comes earlier takes the place of the other one, which is deleted and must
 * not come back the same way. */
static void pin_causes(struct graph *g, uint32_t a)
{
    const int16_t *causes = graph_clock(g, a, CLOCK_PORF);
    for (uint32_t e = 0; e < g->count; e++)
        if (g->events[e].type != GRAPH_INIT && graph_includes(causes, &g->events[e]))
            g->events[e].flags |= GRAPH_STABLE;
    g->events[a].flags |= GRAPH_NEVER_MAXIMAL;
}

/* A new graph in which a is read by r, for the top of the stack. */
static void push_revisit_frame(struct graphs *x, const struct graph *from, uint32_t a, uint32_t r)
{
    bool locks = from->events[a].flags & from->events[r].flags & GRAPH_LOCK_RULE;
    struct graph *g = graphs_new_graph(x);
    uint32_t new_a = graph_restrict(g, from, r, a, !locks);
    if (locks)
        pin_causes(g, new_a);
    graphs_push_frame(x, g, new_a, locks ? GRAPH_NONE : r);
    x->g = g;
    if (!locks)
        graphs_forget_useless_update(x, r);
    push_all_places(x, new_a);
    x->counts.revisits++;
}

static void take_revisit(struct graphs *x, struct graphs_item it)
{
    struct graphs_frame *f = &vec_last(&x->search.frames);
    struct graph *from = f->g;
    graphs_unplace_parts(from, it.event);
    bool last = f->items == x->search.items.len;
    if (last)
        x->search.frames.len--;
    push_revisit_frame(x, from, it.event, it.other);
    if (last)
        vec_push(&x->search.pool, from);
}

static bool reads_well(const struct graphs *x, uint32_t r)
{
    const struct graph *g = x->g;
    return graph_is_after_twin(g, r) && (graphs_reads_newest(g, r) || x->model->is_consistent(g, r));
}

static bool take_rf(struct graphs *x, struct graphs_item it)
{
    struct graph *g = x->g;
    if (it.other == GRAPH_NONE) {
        graph_leave_open(g, it.event);
        return add_missing(x, GRAPH_NONE);
    }
    if (!graphs_is_option(x, &g->events[it.event], &g->events[it.other])) /* any more */
        return false;
    graph_set_rf(g, it.event, it.other);
    graphs_forget_useless_update(x, it.event);
    if (it.way != GRAPHS_HAS_FAILED)
        graphs_push_failure(x, it.event); /* consistent or not, by another order */
    if (!reads_well(x, it.event))
        return false;
    if (graph_is_part(&g->events[it.event]))
        return add_missing(x, GRAPH_NONE);
    graphs_push_picks(x, it.event);
    return !(g->events[it.event].flags & GRAPH_UPDATE) || graphs_add_update(x, it.event);
}

/* A weak CAS has both ways for each place of the write that revisits it. */
static void succeed_again(struct graphs *x, uint32_t r)
{
    if (!(x->g->events[r].flags & GRAPH_FAILS))
        return;
    graph_set_rf(x->g, r, x->g->events[r].rf);
    graphs_forget_useless_update(x, r);
}

static bool take_mo(struct graphs *x, struct graphs_item it)
{
    const struct graphs_frame *f = &vec_last(&x->search.frames);
    if (graph_is_part(&x->g->events[it.event])) {
        graphs_take_place(x, it);
    } else {
        graph_unplace(x->g, it.event);
        graph_place(x->g, it.event, it.other);
    }
    if (!is_placed_well(x, it.event))
        return false;
    if (f->revisiter != it.event)
        return true;
    if (f->revisited != GRAPH_NONE) {
        succeed_again(x, f->revisited);
        graphs_forget_useless_update(x, f->revisited);
        graphs_push_failure(x, f->revisited);
        if (!reads_well(x, f->revisited))
            return false;
    }
    return add_missing(x, GRAPH_NONE);
}

bool graphs_take_item(struct graphs *x, struct graphs_item it)
{
    x->g = vec_last(&x->search.frames).g;
    graph_cut(x->g, it.event + 1);
    bool alive = false;
    switch ((enum graphs_item_kind)it.kind) {
    case ITEM_RF: alive = take_rf(x, it); break;
    case ITEM_CO: alive = take_mo(x, it); break;
    case ITEM_REVISIT: take_revisit(x, it); return false;
    case ITEM_BRANCH:
        graph_set_branch(x->g, it.event, it.other);
        alive = graph_is_after_twin(x->g, it.event);
        break;
    case ITEM_PICK:
        graph_set_pick(x->g, it.other, it.way);
        alive = add_missing(x, it.other);
        break;
    case ITEM_FAIL:
        graph_set_failing(x->g, it.other);
        alive = reads_well(x, it.other) && (!x->g->has_parts || add_missing(x, GRAPH_NONE));
        break;
    }
    x->counts.dead_ends += !alive;
    return alive;
}

static bool take_next(struct graphs *x)
{
    x->search.taken = vec_pop(&x->search.items);
    x->search.items_left = x->search.items.len;
    x->search.has_taken = graphs_take_item(x, x->search.taken);
    return x->search.has_taken;
}

bool graphs_take_items(struct graphs *x)
{
    while (x->search.frames.len > 0) {
        if (vec_last(&x->search.frames).items == x->search.items.len)
            graphs_pop_frame(x);
        else if (take_next(x))
            return true;
    }
    return false;
}

/* What came of the alternative is forgotten, and it waits to be taken, as before. */
void graphs_take_again(struct graphs *x)
{
    x->run.abandoned = x->run.repeats = true;
    x->search.again = !x->search.has_taken;
    x->search.items.len = x->search.items_left;
    if (x->search.has_taken)
        vec_push(&x->search.items, x->search.taken);
}

/* --- locks that wait forever ----------------------------------------------------------------------- */

static void revisit_from(struct graphs *x, struct graph *g, const struct port_action *lock, uint32_t location,
                         uint32_t w)
{
    uint32_t count = g->count;
    size_t items = x->search.items.len;
    graph_reserve(g, 2, 0);
    x->g = g;
    uint32_t r = graphs_append_read(x, lock, location, w);
    if (g->events[w].mo_after == GRAPH_NONE || is_allowed(x, r)) {
        graphs_add_update(x, r);
        graph_unplace(g, g->count - 1);
    }
    OWNED VEC(struct graphs_item) revisits = {0};
    while (x->search.items.len > items)
        vec_push(&revisits, vec_pop(&x->search.items));
    for (size_t i = 0; i < revisits.len; i++)
        push_revisit_frame(x, g, revisits.data[i].event, revisits.data[i].other);
    graph_cut(g, count);
}

static void graphs_revisit_by_lock(struct graphs *x, const struct port_action *lock)
{
    struct graph *g = x->g;
    uint32_t location = graphs_site_at(x, graphs_address(lock));
    for (uint32_t w = g->locations[location].mo_last; w != GRAPH_NONE; w = g->events[w].mo_before)
        if (g->events[w].value == 0)
            revisit_from(x, g, lock, location, w);
    x->g = g;
}

void graphs_revisit_by_waiting_locks(struct graphs *x)
{
    for (size_t i = 0; i < x->search.waiting_locks.len; i++)
        graphs_revisit_by_lock(x, &x->search.waiting_locks.data[i]);
    x->search.waiting_locks.len = 0;
}

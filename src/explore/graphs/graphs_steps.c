/* SPDX-License-Identifier: Apache-2.0 */
/* Adding the events of a step to the graph, with the alternatives that are left for later. */
#include "explore/graphs/graphs_inside.h"

#include "base/check.h"

/* --- locations -------------------------------------------------------------------------------------- */

/* Marks sites whose bytes may overlap; whether they do in one graph is looked at there. */
static void note_neighbours(struct graphs *x, uint32_t site)
{
    struct graphs_site *s = &x->sites.list.data[site];
    for (uint64_t address = s->address - 15; address != s->address + s->size_most; address++) {
        uint32_t other = address == s->address ? HASH_NO_NUMBER : hash_map_get(&x->sites.numbers, address);
        if (other == HASH_NO_NUMBER || address + x->sites.list.data[other].size_most <= s->address)
            continue;
        s->overlaps = x->sites.list.data[other].overlaps = true;
    }
}

uint32_t graphs_site_at(struct graphs *x, uint64_t address)
{
    uint32_t slot = (uint32_t)((address >> 2) ^ (address >> 8)) % GRAPHS_CACHE;
    if (x->sites.cache[slot].address == address && x->sites.cache[slot].site != HASH_NO_NUMBER)
        return x->sites.cache[slot].site;
    uint32_t *number = hash_map_at(&x->sites.numbers, address);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)x->sites.list.len;
        vec_push(&x->sites.list, ((struct graphs_site){.address = address}));
    }
    x->sites.cache[slot].address = address;
    x->sites.cache[slot].site = *number;
    return *number;
}

static uint32_t graphs_refuse(struct graphs *x, const char *limit)
{
    x->run.limit = limit;
    return GRAPH_NONE;
}

static bool overlaps_another(const struct graphs *x, uint32_t site, unsigned size)
{
    uint64_t address = x->sites.list.data[site].address;
    for (uint32_t i = 0; i < x->g->location_count; i++) {
        const struct graph_location *l = &x->g->locations[i];
        if (i != site && l->init != GRAPH_NONE && l->address < address + size &&
            address < l->address + l->size)
            return true;
    }
    return false;
}

/* Sizes are mixed, which is news. */
static uint32_t find_mixed(struct graphs *x, const struct port_action *a)
{
    return graphs_learn_mixed(x, a) ? GRAPH_NONE : graphs_refuse(x, GRAPHS_MIXED_SIZES);
}

/* The first event of the location in this graph. */
static uint32_t touch(struct graphs *x, uint32_t site, const struct port_action *a, bool locking)
{
    unsigned size = a->size;
    struct graphs_site *s = &x->sites.list.data[site];
    if (size > s->size_most) {
        s->size_most = (uint8_t)size;
        if (!(a->flags & PORT_OBJECT)) /* objects have no bytes to share */
            note_neighbours(x, site);
    }
    if (s->overlaps && overlaps_another(x, site, size))
        return find_mixed(x, a);
    if (x->stretches.of_threads && !(a->flags & PORT_OBJECT))
        graphs_note_atomic(x, site, size);
    bool mutex = locking && !s->no_mutex && !x->settings.base_rule_only;
    if (mutex && !s->locked) {
        s->locked = true;
        x->sites.changes++;
    }
    s->initial = x->base.peek(x->base.peek_context, a);
    s->has_initial = true;
    graph_touch(x->g, site, s->address, size, s->initial, mutex);
    return site;
}

/* Something else than lock and unlock: the rule for mutexes does not hold for this address. If it has been used, all
 * that was explored is forgotten. */
void graphs_give_up_mutex(struct graphs *x, uint32_t site)
{
    struct graphs_site *s = &x->sites.list.data[site];
    s->no_mutex = true;
    x->sites.changes += graphs_is_object(s) || s->locked;
    if (s->locked)
        x->search.restart = true;
}

/* The location of an action, touched. GRAPH_NONE: a limit was met, or everything begins again. */
static uint32_t location_of(struct graphs *x, const struct port_action *a)
{
    uint32_t site = graphs_site_at(x, graphs_address(a));
    bool locking = a->operation == OPERATION_LOCK || a->operation == OPERATION_UNLOCK;
    x->sites.list.data[site].locks |= a->operation == OPERATION_LOCK;
    if (!locking && !x->sites.list.data[site].no_mutex)
        graphs_give_up_mutex(x, site);
    graph_reserve(x->g, 3, (uint32_t)x->sites.list.len);
    const struct graph_location *l = &x->g->locations[site];
    if (l->init == GRAPH_NONE)
        return touch(x, site, a, locking);
    return l->size == a->size ? site : find_mixed(x, a);
}

/* The granule is in the graph from now on. */
static uint32_t touch_granule(struct graphs *x, const struct port_action *a, struct graphs_granule granule)
{
    struct port_action whole = *a;
    whole.address = granule.address;
    whole.size = (uint8_t)granule.size;
    uint32_t site = graphs_site_at(x, granule.address);
    struct graphs_site *s = &x->sites.list.data[site];
    s->no_mutex = true;
    s->size_most = s->size_most > whole.size ? s->size_most : whole.size;
    graph_reserve(x->g, 3 * GRAPHS_GRANULES, (uint32_t)x->sites.list.len);
    if (x->g->locations[site].init != GRAPH_NONE)
        return site;
    s->initial = x->base.peek(x->base.peek_context, &whole);
    s->has_initial = true;
    graph_touch(x->g, site, granule.address, granule.size, s->initial, false);
    x->g->locations[site].mixed = x->g->has_parts = true;
    return site;
}

/* All granules of an access are there before its first part. */
static uint32_t touch_parts(struct graphs *x, const struct port_action *a, const struct graphs_parts *parts)
{
    for (uint32_t k = parts->count; k-- > 1;)
        touch_granule(x, a, parts->granules[k]);
    return touch_granule(x, a, parts->granules[0]);
}

/* --- facts ------------------------------------------------------------------------------------------ */

/* What is known about memory in all executions. Whether plain accesses are steps, and of which size, must be the same in every
 * execution, or their graphs would not be graphs of one program. */
static uint64_t key_of(enum graphs_fact fact, uint64_t address)
{
    return GRAPHS_OBJECT | GRAPHS_FACT | (uint64_t)fact << 56 | address;
}

bool explore_graphs_knows(const struct explorer *e, enum graphs_fact fact, uint64_t address)
{
    const struct graphs *x = graphs_of(e);
    uint32_t site = hash_map_get(&x->sites.numbers, key_of(fact, address));
    return site != HASH_NO_NUMBER && x->sites.list.data[site].no_mutex;
}

void explore_graphs_find_out(struct explorer *e, enum graphs_fact fact, uint64_t address)
{
    struct graphs *x = graphs_of(e);
    uint32_t site = graphs_site_at(x, key_of(fact, address)); /* may move the sites */
    x->sites.list.data[site].locked = true;
    graphs_give_up_mutex(x, site);
}

/* --- events ----------------------------------------------------------------------------------------- */

void graphs_describe(const struct graphs *x, struct graph_event *ev, const struct port_action *a)
{
    ev->label = (struct graph_label){a->kind, a->operation, a->order, a->failure_order};
    ev->order = x->model->effective_order[a->order];
    ev->address = graphs_address(a);
    ev->operand = a->operand;
    ev->expected = a->expected;
    ev->size = a->size;
    ev->plain = x->run.plain[a->thread];
    ev->state = x->settings.returns ? a->live : a->state;
    if (a->flags & PORT_WEAK && x->settings.weak_cas)
        ev->flags |= GRAPH_WEAK;
    if (a->quiet)
        ev->flags |= GRAPH_QUIET;
    if (a->unused && ev->type == GRAPH_READ)
        ev->flags |= GRAPH_UNUSED;
}

uint32_t graphs_append_read(struct graphs *x, const struct port_action *a, uint32_t location, uint32_t rf)
{
    struct graph *g = x->g;
    uint32_t e = graph_append(g, a->thread, GRAPH_READ);
    const struct graph_location *l = &g->locations[location];
    graphs_describe(x, &g->events[e], a);
    if (l->mixed && a->size > l->size)
        g->events[e].flags |= GRAPH_MORE;
    else if (l->mixed && a->size < l->size)
        g->events[e].flags |= GRAPH_PIECE;
    if (a->operation == OPERATION_LOCK && g->locations[location].mutex)
        g->events[e].flags |= GRAPH_LOCK_RULE;
    graph_join_location(g, e, location);
    if (graphs_wants_oldest(x, &g->events[e]))
        g->events[e].flags |= GRAPH_OLDEST;
    graph_set_rf(g, e, graphs_first_source(g, &g->events[e], rf));
    graphs_forget_useless_update(x, e);
    return e;
}

/* The other writes that read e might read instead of the last one: back in mo to the first one that the thread knows. */
static void push_sources(struct graphs *x, uint32_t e)
{
    static const int16_t nothing[GRAPH_THREADS_MAX];
    const struct graph *g = x->g;
    const struct graph_event *ev = &g->events[e];
    const int16_t *hb = ev->po_before == GRAPH_NONE ? nothing : graph_clock(g, ev->po_before, CLOCK_HB);
    for (uint32_t w = g->locations[ev->location].mo_last; !graph_knows(g, hb, w, ev);) {
        w = g->events[w].mo_before;
        if (w != ev->rf && graphs_is_option(x, ev, &g->events[w]) && !graphs_is_vain(x, e, w))
            graphs_push_item(x, ITEM_RF, e, w);
    }
}

bool graphs_is_patient(const struct graphs *x, const struct port_action *a)
{
    uint32_t last = x->g->threads[a->thread].last;
    return !x->script.steps && !x->g->has_twins && last != GRAPH_NONE &&
           x->g->events[last].type == GRAPH_READ && x->g->events[last].address == graphs_address(a) &&
           x->g->events[last].label.operation == a->operation;
}

/* There is no other source, and no write revisits it: that would be an execution with fewer rounds. */
static bool add_patient_read(struct graphs *x, const struct port_action *a, uint32_t location,
                             struct port_answer *answer)
{
    uint32_t e = graphs_append_read(x, a, location, x->g->events[x->g->threads[a->thread].last].rf);
    x->g->events[e].flags |= GRAPH_PATIENT | GRAPH_STABLE;
    answer->reads = true;
    answer->found = x->g->events[e].value;
    return true;
}

/* What the thread, which has only read since, found there; GRAPH_NONE: nothing. */
static uint32_t last_found(const struct graphs *x, const struct port_action *a)
{
    enum { READS_BACK = 8 };
    uint32_t e = x->g->threads[a->thread].last;
    for (uint32_t k = 0; k < READS_BACK && e != GRAPH_NONE; k++, e = x->g->events[e].po_before) {
        const struct graph_event *ev = &x->g->events[e];
        if (ev->type != GRAPH_READ || graph_is_part(ev) || ev->flags & GRAPH_FAILS)
            return GRAPH_NONE;
        if (ev->address == graphs_address(a) && ev->size == a->size && ev->expected == a->expected &&
            ev->label.operation == a->operation)
            return ev->rf;
    }
    return GRAPH_NONE;
}

static bool is_sticky(const struct graphs *x, const struct port_action *a)
{
    bool reads = a->operation == OPERATION_LOAD || a->operation == OPERATION_CAS;
    bool explores = !x->script.steps && !x->returns.finished; /* what is stuck has to find the newest values */
    return a->sticky && reads && explores && !x->g->has_twins && last_found(x, a) != GRAPH_NONE;
}

/* The same again if that is possible, or the newest value; either without alternatives. */
static bool add_sticky_read(struct graphs *x, const struct port_action *a, uint32_t location,
                            struct port_answer *answer)
{
    uint32_t rf = last_found(x, a), newest = x->g->locations[location].mo_last;
    uint32_t e = graphs_append_read(x, a, location, rf);
    if (rf == newest || x->model->is_consistent(x->g, e))
        x->g->events[e].flags |= GRAPH_PATIENT | GRAPH_STABLE;
    else
        graph_set_rf(x->g, e, newest);
    answer->reads = true;
    answer->found = x->g->events[e].value;
    if (x->g->events[e].flags & GRAPH_UPDATE)
        graphs_add_update(x, e);
    return true;
}

/* The location of an access, or of its first part; `parts->count` is 1 for most. GRAPH_NONE: see location_of. */
static uint32_t first_location(struct graphs *x, const struct port_action *a, struct graphs_parts *parts)
{
    parts->count = 1;
    switch (x->sites.has_mixed ? graphs_split(x, a, parts) : GRAPHS_SPLIT_NOT) {
    case GRAPHS_SPLIT_NOT: return location_of(x, a);
    case GRAPHS_SPLIT_DONE: return touch_parts(x, a, parts);
    case GRAPHS_SPLIT_RESTARTS: return GRAPH_NONE;
    default: return graphs_refuse(x, GRAPHS_MIXED_SIZES);
    }
}

/* Of a read with parts the first one was added. Nothing is older than what it finds, so nothing is inconsistent. */
static void add_other_parts(struct graphs *x, uint32_t e, struct port_answer *answer)
{
    bool consistent = graphs_add_parts(x, e);
    CHECK(consistent);
    e = graph_last_part(x->g, e);
    answer->found = graph_value(x->g, e);
}

static bool add_read(struct graphs *x, const struct port_action *a, struct port_answer *answer)
{
    struct graphs_parts parts;
    uint32_t location = first_location(x, a, &parts);
    if (location == GRAPH_NONE)
        return x->search.restart;
    if (parts.count == 1 && a->patient && graphs_is_patient(x, a))
        return add_patient_read(x, a, location, answer);
    if (parts.count == 1 && is_sticky(x, a))
        return add_sticky_read(x, a, location, answer);
    uint32_t newest = x->g->locations[location].mo_last;
    uint32_t e = graphs_append_read(x, a, location, newest);
    if (x->g->has_depths)
        graphs_follow_twin(x, e);
    answer->reads = true;
    answer->found = x->g->events[e].value;
    answer->fails = x->g->events[e].flags & GRAPH_FAILS;
    if (x->g->events[newest].type != GRAPH_INIT)
        push_sources(x, e);
    if (parts.count > 1) {
        add_other_parts(x, e, answer);
        return true;
    }
    if (!answer->fails)
        graphs_push_failure(x, e);
    if (operation_picks(a->operation)) {
        answer->thread = (uint32_t)x->g->events[e].expected;
        graphs_push_picks(x, e);
    }
    if (x->g->events[e].flags & GRAPH_UPDATE)
        graphs_add_update(x, e);
    return true;
}

static void add_parts_of_write(struct graphs *x, const struct port_action *a,
                               const struct graphs_parts *parts)
{
    struct graph *g = x->g;
    event_word value = operation_apply(a->operation, a->size, a->operand, 0, 0).value;
    uint32_t w = GRAPH_NONE;
    for (uint32_t k = 0; k < parts->count; k++) {
        w = graphs_append_part(g, a->thread, parts, k);
        graphs_describe(x, &g->events[w], a);
        if (k > 0 && x->settings.returns)
            g->events[w].state = 0; /* its thread arrives once */
        graph_join_location(g, w, graphs_site_at(x, parts->granules[k].address));
        g->events[w].value = graph_cut_value(g, &g->events[w], value);
    }
    graph_complete_parts(g, w);
    graphs_push_revisits(x, w);
    graphs_place_parts(x, graph_first_part(g, w));
}

static bool add_write(struct graphs *x, const struct port_action *a)
{
    struct graphs_parts parts;
    uint32_t location = first_location(x, a, &parts);
    if (location == GRAPH_NONE)
        return x->search.restart;
    if (parts.count > 1) {
        add_parts_of_write(x, a, &parts);
        return true;
    }
    struct graph *g = x->g;
    uint32_t w = graph_append(g, a->thread, GRAPH_WRITE), last = g->locations[location].mo_last;
    graphs_describe(x, &g->events[w], a);
    g->events[w].value = operation_apply(a->operation, a->size, a->operand, 0, 0).value;
    graph_join_location(g, w, location);
    graph_complete_write(g, w);
    graphs_push_revisits(x, w);
    graph_place(g, w, last);
    graphs_push_places(x, w);
    return true;
}

static enum graph_type type_of(enum event_kind kind)
{
    switch (kind) {
    case EVENT_FENCE: return GRAPH_FENCE;
    case EVENT_CREATE: return GRAPH_CREATE;
    case EVENT_BEGIN: return GRAPH_BEGIN;
    case EVENT_END: return GRAPH_END;
    case EVENT_JOIN: return GRAPH_JOIN;
    default: return GRAPH_MARK;
    }
}

/* The number must not depend on which thread came first, so it is one that the graph has no use for yet. */
static uint32_t free_thread_number(const struct graph *g)
{
    uint32_t t = 1;
    while (t < GRAPH_THREADS_MAX && (g->threads[t].create != GRAPH_NONE || g->threads[t].last != GRAPH_NONE))
        t++;
    return t;
}

/* Before there is an event of it, which could not be taken back. */
static bool number_thread(struct graphs *x, struct port_answer *answer)
{
    answer->thread = x->script.created ? x->script.created : free_thread_number(x->g);
    x->script.created = 0;
    if (answer->thread < GRAPH_THREADS_MAX)
        return true;
    x->run.limit = "more than 32 threads";
    return false;
}

static bool add_other(struct graphs *x, const struct port_action *a, struct port_answer *answer)
{
    if (a->kind == EVENT_CREATE && !number_thread(x, answer))
        return false;
    graph_reserve(x->g, 1, 0);
    enum graph_type type = type_of(a->kind);
    x->has_marks |= type == GRAPH_MARK;
    if (type == GRAPH_MARK && graphs_reads_oldest(x))
        explore_graphs_find_out(&x->base, GRAPHS_MARKED, 0);
    uint32_t e = graph_append(x->g, a->thread, type);
    graphs_describe(x, &x->g->events[e], a);
    x->g->events[e].value = a->operand;
    if (a->kind == EVENT_CREATE)
        x->g->events[e].address = answer->thread;
    graph_complete_step(x->g, e);
    return true;
}

bool graphs_add_step(struct graphs *x, const struct port_action *a, struct port_answer *answer)
{
    uint32_t last = x->g->threads[a->thread].last;
    if (last != GRAPH_NONE && x->g->events[last].index >= GRAPH_STEPS_MAX - 1) {
        x->run.limit = GRAPHS_TOO_LONG;
        return false;
    }
    if (x->g->has_twins)
        graphs_watch_joins(x, a);
    if (a->operation == OPERATION_NONE)
        return add_other(x, a, answer);
    return operation_reads(a->operation) ? add_read(x, a, answer) : add_write(x, a);
}

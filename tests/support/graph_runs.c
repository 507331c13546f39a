/* SPDX-License-Identifier: Apache-2.0 */
#include "graph_runs.h"

#include "explore/explore.h"
#include "explore/graphs.h"
#include "explore/graphs_replay.h"
#include "explore/graphs_sharing.h"
#include "explore/schedules/prng.h"

#include <stdio.h>
#include <string.h>

struct package {
    void *bytes;
    size_t size;
};

struct collector {
    const struct program *p;
    const struct run_settings *settings;
    struct explorer *explorer;
    struct prng prng;
    VEC(struct package) packages;      /* work given away */
    VEC(struct graphs_object) objects; /* what all who share work know together */
    bool begins_again;
    struct runs *out;
    struct view view;
    uint64_t executions, restarts;
    VEC(struct view_write) names; /* by stamp */
};

void runs_clear(struct runs *r)
{
    vec_clear(&r->complete);
    vec_clear(&r->stuck);
    vec_clear(&r->blocked);
    r->trouble = NULL;
    r->bounded = r->restarted = false;
    r->open = 0;
}

void runs_free(struct runs *r)
{
    vec_free(&r->complete);
    vec_free(&r->stuck);
    vec_free(&r->blocked);
}

/* ---- from a graph to a view ---- */

static const char kinds[] = {
    [GRAPH_INIT] = 'i',  [GRAPH_WRITE] = 'W', [GRAPH_READ] = 'R', [GRAPH_FENCE] = 'F', [GRAPH_CREATE] = 'C',
    [GRAPH_BEGIN] = 'B', [GRAPH_END] = 'E',   [GRAPH_JOIN] = 'J', [GRAPH_MARK] = 'M',  [GRAPH_BRANCH] = '?',
};

static uint16_t thread_name(const struct program_state *s, uint32_t thread)
{
    return thread == 0 ? 0 : (uint16_t)(s->program_thread[thread] + 1);
}

static void name_writes(struct collector *c, const struct graph *g, const struct program_state *s)
{
    uint16_t writes[VIEW_THREADS] = {0};
    vec_clear(&c->names);
    for (uint32_t e = 0; e < g->count; e++)
        vec_push(&c->names, ((struct view_write){.thread = VIEW_INITIAL}));
    for (uint32_t t = 0; t < g->thread_count; t++)
        for (uint32_t e = g->threads[t].first; e != GRAPH_NONE; e = g->events[e].po_after)
            if (g->events[e].type == GRAPH_WRITE) {
                c->names.data[e] = (struct view_write){thread_name(s, t), writes[t]};
                writes[t] += !(g->events[e].flags & GRAPH_MORE);
            }
}

/* The cells of an access that belong to one part of it. */
static void name_sources(const struct collector *c, const struct graph *g, uint32_t e, struct view_step *step)
{
    const struct graph_event *event = &g->events[e];
    const struct graph_location *l = &g->locations[event->location];
    unsigned bytes = 8 / view_cells(c->p, step->location);
    for (unsigned k = 0; k < step->cells; k++) {
        uint64_t address = event->address + k * bytes;
        if (event->rf != GRAPH_NONE && l->address <= address && address < l->address + l->size)
            step->from[k] = c->names.data[event->rf];
    }
}

static struct view_step step_of(struct collector *c, const struct graph *g, const struct program_state *s,
                                uint32_t e)
{
    const struct graph_event *event = &g->events[e];
    struct view_step step = {.kind = kinds[event->type]};
    bool has_value = event->type == GRAPH_READ || event->type == GRAPH_WRITE;
    if (has_value) {
        uint64_t offset = event->address - program_address(0);
        view_set_cells(&step, c->p, (uint32_t)(offset / 8), (unsigned)(offset % 8), event->size);
        step.value = (int64_t)(uint64_t)graph_value(g, e);
    }
    if (event->type == GRAPH_READ) {
        for (uint32_t part = e; part != GRAPH_NONE; part = graph_part_before(g, part))
            name_sources(c, g, part, &step);
        step.fails = event->flags & GRAPH_FAILS;
        step.waits =
            event->flags & GRAPH_BLOCKED || (s->spins[event->thread] && event->po_after == GRAPH_NONE);
    }
    return step;
}

/* Each cell of a location, or granule, has its order; a granule may have cells of two locations. */
static void view_order(struct collector *c, const struct graph *g, const struct graph_location *location)
{
    uint64_t first = location->address - program_address(0);
    for (uint64_t at = first; at < first + location->size;) {
        unsigned bytes = 8 / view_cells(c->p, (uint32_t)(at / 8));
        for (uint32_t e = g->events[location->init].mo_after; e != GRAPH_NONE; e = g->events[e].mo_after)
            vec_push(&c->view.order[at / 8][at % 8 / bytes], c->names.data[e]);
        at += bytes;
    }
}

static void view_graph(struct collector *c, const struct graph *g, const struct program_state *s)
{
    struct view *v = &c->view;
    view_clear(v);
    v->thread_count = c->p->thread_count + 1;
    name_writes(c, g, s);
    for (uint32_t t = 0; t < g->thread_count; t++)
        for (uint32_t e = g->threads[t].first; e != GRAPH_NONE; e = g->events[e].po_after)
            if (graph_last_part(g, e) == e)
                vec_push(&v->threads[thread_name(s, t)], step_of(c, g, s, e));
    for (uint32_t l = 0; l < g->location_count; l++) {
        const struct graph_location *location = &g->locations[l];
        if (location->init == GRAPH_NONE)
            continue;
        view_order(c, g, location);
    }
}

/* ---- collecting ---- */

static void keep(struct runs *out, const struct program_state *s, struct run_graph found)
{
    if (s->outcome == PORT_COMPLETE)
        vec_push(&out->complete, found);
    else if (s->outcome != PORT_BLOCKED)
        out->trouble = s->why == PORT_STOP_DIVERGED ? "diverged" : "met a limit";
    else if (s->why == PORT_STOP_STUCK)
        vec_push(&out->stuck, found);
    else
        vec_push(&out->blocked, found);
}

/* What was found so far will be found again. */
static void forget_before_restart(struct collector *c)
{
    uint64_t restarts = explore_graphs_counts(c->explorer)->restarts;
    if (restarts != c->restarts)
        runs_clear(c->out);
    c->restarts = restarts;
    c->out->restarted |= restarts > 0;
}

static void pack(struct collector *c, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    struct package p = {base_alloc(size), size};
    memcpy(p.bytes, bytes, size);
    vec_push(&c->packages, p);
}

/* One alternative after the other, and sometimes all there is, as for a checkpoint. */
static void give_some(struct collector *c)
{
    const void *bytes;
    if (!c->settings->share_seed)
        return;
    while (prng_below(&c->prng, 3) == 0 && explore_graphs_left(c->explorer) > 0) {
        size_t size = explore_graphs_give(c->explorer, &bytes);
        pack(c, bytes, size);
    }
    if (prng_below(&c->prng, 16) == 0 && !explore_graphs_begins_again(c->explorer)) {
        size_t size = explore_graphs_save(c->explorer, &bytes);
        pack(c, bytes, size);
        explore_graphs_drop(c->explorer);
    }
}

static struct graphs_object *object_at(struct collector *c, uint64_t address)
{
    for (size_t k = 0; k < c->objects.len; k++)
        if (c->objects.data[k].address == address)
            return &c->objects.data[k];
    vec_push(&c->objects, ((struct graphs_object){.address = address}));
    return &vec_last(&c->objects);
}

static bool is_no_mutex(const struct graphs_object *o)
{
    return o->locked && o->no_mutex;
}

/* Explorers that share work have to agree on what is a mutex, as workers do: if one knows better, all begin again. */
static void exchange_objects(struct collector *c)
{
    struct graphs_object mine;
    for (size_t next = 0; c->settings->share_seed && explore_graphs_next_object(c->explorer, &next, &mine);) {
        struct graphs_object *o = object_at(c, mine.address);
        bool known = is_no_mutex(o);
        o->locked |= mine.locked;
        o->no_mutex |= mine.no_mutex;
        c->begins_again |= is_no_mutex(o) && !known;
    }
}

static void note_other_use(struct collector *c, const struct instruction *i)
{
    bool accesses =
        i->kind == INSTRUCTION_ACCESS || i->kind == INSTRUCTION_CAS || i->kind == INSTRUCTION_AWAIT;
    if (accesses && i->operation != OPERATION_LOCK && i->operation != OPERATION_UNLOCK)
        object_at(c, program_address(i->location) + i->offset)->no_mutex = true;
}

/* Explorers tell about objects. Locks of these programs are memory: what is no lock is taken from the code. */
static void note_other_uses(struct collector *c)
{
    for (uint32_t t = 0; c->settings->share_seed && t < c->p->thread_count; t++)
        for (size_t k = 0; k < c->p->threads[t].code.len; k++)
            note_other_use(c, &c->p->threads[t].code.data[k]);
}

static void forget_packages(struct collector *c)
{
    while (c->packages.len > 0)
        free(vec_pop(&c->packages).bytes);
}

static const struct memory_model *model_of(enum oracle_model m)
{
    static const struct memory_model *const models[] = {&model_sc, &model_tso, &model_rc11, &model_rc11_c11};
    return models[m];
}

static bool view_followed(void *context, const struct program_state *s)
{
    struct collector *c = context;
    view_graph(c, explore_graphs_current(c->explorer), s);
    return true;
}

/* The recorded execution leads to the same graph again. Blocked reads are not recorded. */
static bool can_be_followed(const struct collector *c, uint64_t stripped)
{
    VEC(struct schedule_step) steps = {0};
    uint32_t count = explore_graphs_schedule(c->explorer, NULL, 0);
    vec_reserve(&steps, count);
    explore_graphs_schedule(c->explorer, steps.data, count);
    struct explorer *e = explore_graphs_replay(model_of(c->settings->model), steps.data, count);
    struct collector again = {.p = c->p, .settings = c->settings, .explorer = e};
    program_explore(c->p, e, view_followed, &again);
    bool same = !explore_graphs_diverged(e) && view_hash(&again.view, true, c->settings->names) == stripped;
    explore_destroy(e);
    view_free(&again.view);
    vec_free(&again.names);
    vec_free(&steps);
    return same;
}

static uint64_t hash_view(const struct collector *c, bool strip)
{
    const struct run_settings *s = c->settings;
    return s->hash ? s->hash(&c->view, strip, s->hash_context) : view_hash(&c->view, strip, s->names);
}

static bool collect_graph(void *context, const struct program_state *s)
{
    struct collector *c = context;
    forget_before_restart(c);
    exchange_objects(c);
    if (c->begins_again)
        return false;
    if (s->repeats) {
        give_some(c);
        return true;
    }
    int64_t last[PROGRAM_LOCATIONS_MAX];
    view_graph(c, explore_graphs_current(c->explorer), s);
    view_last_values(&c->view, c->p, last);
    if (graph_has_open(explore_graphs_current(c->explorer))) { /* no execution, nor one that waits */
        c->out->open++;
        give_some(c);
        return true;
    }
    const struct graph *g = explore_graphs_current(c->explorer);
    if (g->has_parts && !model_is_consistent_full(model_of(c->settings->model), g))
        c->out->trouble = "not consistent by the axioms of src/graph/model_full.c";
    struct run_graph found = {
        .hash = hash_view(c, false),
        .stripped = hash_view(c, true),
        .state = view_state_hash(c->p, s->registers, last, c->settings->names),
    };
    keep(c->out, s, found);
    bool ended = s->outcome == PORT_COMPLETE || (s->outcome == PORT_BLOCKED && s->why == PORT_STOP_STUCK);
    if (c->settings->follow && ended && !can_be_followed(c, found.stripped))
        c->out->trouble = "cannot be followed";
    give_some(c);
    if (c->settings->print && (c->settings->print == found.hash || c->settings->print == found.stripped)) {
        view_print(&c->view);
        c->out->bounded = true; /* once is enough */
        return false;
    }
    c->out->bounded |= ++c->executions == c->settings->executions_max;
    return !c->out->bounded && !c->out->trouble;
}

/* Without a package: from the beginning. */
static void explore_package(struct collector *c, const struct graphs_settings *settings, struct package work)
{
    c->explorer = explore_graphs(settings);
    c->restarts = 0;
    c->begins_again = false;
    for (size_t k = 0; k < c->objects.len; k++)
        if (is_no_mutex(&c->objects.data[k]))
            explore_graphs_no_mutex(c->explorer, c->objects.data[k].address);
    if (work.bytes && !explore_graphs_take(c->explorer, work.bytes, work.size))
        c->out->trouble = "did not take what was given";
    program_explore(c->p, c->explorer, collect_graph, c);
    explore_destroy(c->explorer);
    if (c->begins_again) {
        forget_packages(c);
        runs_clear(c->out);
        c->out->restarted = true;
        c->executions = 0;
    }
}

void runs_of_graphs(const struct program *p, const struct run_settings *s, struct runs *out)
{
    struct graphs_settings settings = {
        .model = model_of(s->model),
        .plain_reads_noted = true,
        .weak_cas = true,
        .base_rule_only = s->base_rule,
        .symmetry = s->symmetry,
        .oldest_sources = s->oldest_sources,
        .scheduler_seed = s->scheduler_seed,
    };
    struct collector c = {.p = p, .settings = s, .out = out, .prng = prng_start(s->share_seed, 0)};
    struct package work;
    note_other_uses(&c);
    runs_clear(out);
    do {
        work = c.packages.len > 0 ? vec_pop(&c.packages) : (struct package){0};
        explore_package(&c, &settings, work);
        free(work.bytes);
    } while (c.packages.len > 0 || c.begins_again);
    view_free(&c.view);
    vec_free(&c.names);
    vec_free(&c.packages);
    vec_free(&c.objects);
}

static bool collect_schedule(void *context, const struct program_state *s)
{
    struct collector *c = context;
    struct run_graph found = {.state = view_state_hash(c->p, s->registers, s->memory, NULL)};
    keep(c->out, s, found);
    c->out->bounded |= ++c->executions == c->settings->executions_max;
    return !c->out->bounded;
}

void runs_of_schedules(const struct program *p, uint64_t executions_max, struct runs *out)
{
    struct run_settings settings = {.executions_max = executions_max};
    struct explorer *e = explore_dfs(UINT32_MAX);
    struct collector c = {.p = p, .settings = &settings, .explorer = e, .out = out};
    runs_clear(out);
    program_explore(p, e, collect_schedule, &c);
    explore_destroy(e);
}

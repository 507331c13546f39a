/* SPDX-License-Identifier: Apache-2.0 */
/* Revisits: which reads a write may be read by instead of what they read, and what may be deleted for that. */
#include "explore/graphs/graphs_inside.h"

#include "graph/twins.h"

bool graphs_is_before(const struct graph *g, const int16_t *causes, uint32_t e, uint32_t stamp)
{
    return e <= stamp || graph_includes(causes, &g->events[e]);
}

bool graphs_is_overwritten(const struct graph *g, const int16_t *causes, uint32_t w, uint32_t stamp)
{
    for (w = g->events[w].mo_after; w != GRAPH_NONE; w = g->events[w].mo_after)
        if (graphs_is_before(g, causes, w, stamp))
            return true;
    return false;
}

static bool is_read(const struct graph *g, const int16_t *causes, uint32_t w, uint32_t stamp)
{
    for (uint32_t r = g->events[w].reader; r != GRAPH_NONE; r = g->events[r].reader)
        if (graphs_is_before(g, causes, r, stamp))
            return true;
    return false;
}

static uint32_t newest_before(const struct graph *g, const int16_t *causes, uint32_t location, uint32_t stamp)
{
    uint32_t w = g->locations[location].mo_last;
    while (!graphs_is_before(g, causes, w, stamp))
        w = g->events[w].mo_before;
    return w;
}

/* Would the last write in mo put the read before its twin? Then graphs_follow_twin gives it another one. */
static bool cannot_read_newest(const struct graph *g, const int16_t *causes, uint32_t r)
{
    const struct graph_event *ev = &g->events[r];
    if (!g->has_depths || ev->flags & GRAPH_LOCK_RULE || graph_twin_event(g, r) == GRAPH_NONE)
        return false;
    return !graph_would_be_after_twin(g, r, newest_before(g, causes, ev->location, r));
}

static bool reads_like_twin(const struct graph *g, const int16_t *causes, uint32_t r)
{
    const struct graph_event *ev = &g->events[r], *twin = &g->events[graph_twin_event(g, r)];
    return ev->rf == graph_source_like_twin(g, r, causes) &&
           (ev->flags & GRAPH_FAILS) == (twin->flags & GRAPH_FAILS);
}

static bool reads_maximal(const struct graph *g, const int16_t *causes, uint32_t r)
{
    const struct graph_event *ev = &g->events[r];
    if (ev->flags & GRAPH_PATIENT)
        return true;
    if (!graph_picks_first(ev))
        return false;
    if (cannot_read_newest(g, causes, r))
        return reads_like_twin(g, causes, r);
    if (graphs_has_own_source(g, ev))
        return ev->rf == graphs_first_source(g, ev, newest_before(g, causes, ev->location, r));
    return !(ev->flags & GRAPH_FAILS) && !graphs_is_overwritten(g, causes, ev->rf, r);
}

static bool writes_maximal(const struct graph *g, const int16_t *causes, uint32_t w)
{
    const struct graph_event *ev = &g->events[w];
    if (is_read(g, causes, w, w))
        return false;
    if (ev->flags & GRAPH_UPDATE && cannot_read_newest(g, causes, ev->po_before))
        return reads_like_twin(g, causes, ev->po_before);
    return !graphs_is_overwritten(g, causes, w, w);
}

/* Would the event, if deleted and added again when the causes of the revisiting write are there, be added first in this
 * very way? Then, and only then, it is this graph that makes the revisit. */
static bool is_maximal(struct graphs *x, const int16_t *causes, uint32_t a, uint32_t e)
{
    const struct graph *g = x->g;
    const struct graph_event *ev = &g->events[e];
    if (ev->flags & GRAPH_NEVER_MAXIMAL)
        return false;
    switch (ev->type) {
    case GRAPH_READ:
        return ev->flags & GRAPH_PART ? graphs_part_is_maximal(x, causes, a, e) : reads_maximal(g, causes, e);
    case GRAPH_WRITE: return writes_maximal(g, causes, e);
    case GRAPH_BRANCH: return ev->value == 0;
    default: return true;
    }
}

/* The oldest read of a's location that a might revisit, not younger than `oldest`. */
static uint32_t oldest_revisitable(const struct graph *g, const int16_t *causes, uint32_t a, uint32_t oldest)
{
    for (uint32_t e = g->events[a].location_before; e != GRAPH_NONE; e = g->events[e].location_before) {
        const struct graph_event *ev = &g->events[e];
        if (ev->type == GRAPH_READ && !(ev->flags & GRAPH_STABLE) && !graph_includes(causes, ev) &&
            e < oldest)
            oldest = e;
    }
    return oldest;
}

static bool writes_location(const struct graph *g, uint32_t a, uint32_t location)
{
    while (a != GRAPH_NONE && g->events[a].location != location)
        a = graph_part_before(g, a);
    return a != GRAPH_NONE;
}

/* Another update than that of read r which reads from `source`: its write; or GRAPH_NONE. Of two such updates a graph has one. */
static uint32_t rival_of(const struct graph *g, uint32_t r, uint32_t source)
{
    uint32_t other = g->events[source].reader;
    while (other != GRAPH_NONE && (other == r || !(g->events[other].flags & GRAPH_UPDATE)))
        other = g->events[other].reader;
    return other == GRAPH_NONE ? GRAPH_NONE : g->events[other].po_after;
}

static uint32_t rival_of_write(const struct graph *g, const struct graph_event *a)
{
    if (!(a->flags & GRAPH_UPDATE) || g->has_parts)
        return GRAPH_NONE;
    return rival_of(g, a->po_before, g->events[a->po_before].rf);
}

static bool has_caused(const struct graph *g, uint32_t e, const int16_t *causes)
{
    return e != GRAPH_NONE && graph_includes(causes, &g->events[e]);
}

/* Whether an event is maximal depends on a, not on the read to be revisited: so one walk from the newest event down, as
 * far as all are maximal, finds every read. The next one of them, from `e` down to `oldest`; or GRAPH_NONE. With a younger one the
 * rival would be kept. */
static uint32_t next_to_revisit(struct graphs *x, const int16_t *causes, uint32_t a, uint32_t rival,
                                uint32_t e, uint32_t oldest)
{
    const struct graph *g = x->g;
    while (e-- > oldest) {
        const struct graph_event *ev = &g->events[e];
        if (graph_includes(causes, ev))
            continue;
        if (!is_maximal(x, causes, a, e))
            return GRAPH_NONE;
        if (ev->type == GRAPH_READ && e < rival && writes_location(g, a, ev->location) &&
            !(ev->flags & GRAPH_STABLE))
            return e;
    }
    return GRAPH_NONE;
}

/* `a`, of several parts the last, must not be in mo. */
void graphs_push_revisits(struct graphs *x, uint32_t a)
{
    const struct graph *g = x->g;
    if (x->settings.first_only)
        return;
    const int16_t *causes = graph_clock(g, a, CLOCK_PORF);
    uint32_t oldest = GRAPH_NONE, rival = rival_of_write(g, &g->events[a]);
    for (uint32_t part = a; part != GRAPH_NONE; part = graph_part_before(g, part))
        oldest = oldest_revisitable(g, causes, part, oldest);
    if (oldest >= rival || has_caused(g, rival, causes))
        return;
    uint32_t e = graph_first_part(g, a);
    while ((e = next_to_revisit(x, causes, a, rival, e, oldest)) != GRAPH_NONE)
        if (graphs_is_own_source(g, &g->events[e], a))
            graphs_push_item(x, ITEM_REVISIT, a, e);
}

/* Would the last event, a read, be an update if it read from w, whatever is learnt until then? */
static bool would_update(const struct graph_event *read, const struct graph_event *w)
{
    enum operation o = read->label.operation;
    if (o == OPERATION_LOAD || read->flags & GRAPH_WEAK || operation_picks(o))
        return false;
    struct operation_effect effect = operation_apply(o, read->size, read->operand, read->expected, w->value);
    return effect.possible && effect.writes && effect.value != w->value;
}

bool graphs_is_vain(struct graphs *x, uint32_t r, uint32_t w)
{
    const struct graph *g = x->g;
    const struct graph_event *ev = &g->events[r];
    if (g->has_parts || g->has_twins || x->settings.returns || !would_update(ev, &g->events[w]))
        return false;
    uint32_t rival = rival_of(g, r, w);
    if (rival == GRAPH_NONE)
        return false;
    int16_t causes[GRAPH_THREADS_MAX] = {0};
    clock_copy(causes, graph_clock(g, w, CLOCK_PORF), g->width);
    if (ev->po_before != GRAPH_NONE)
        clock_join(causes, graph_clock(g, ev->po_before, CLOCK_PORF), g->width);
    uint32_t oldest = oldest_revisitable(g, causes, r, GRAPH_NONE);
    return oldest >= rival || has_caused(g, rival, causes) ||
           next_to_revisit(x, causes, r, rival, r, oldest) == GRAPH_NONE;
}

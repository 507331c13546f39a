/* SPDX-License-Identifier: Apache-2.0 */
/* Of the writes from which a load learns the same it is given the oldest, and nothing later: docs/internals/explore/graphs.md, "Oldest
 * sources". */
#include "explore/graphs/graphs_inside.h"

bool graphs_reads_oldest(const struct graphs *x)
{
    const struct graphs_settings *s = &x->settings;
    return s->oldest_sources && x->model->mo_against_causes && s->plain_reads_noted && !s->base_rule_only &&
           !s->symmetry && !s->returns && !x->script.steps && !x->sites.has_mixed &&
           !explore_graphs_knows(&x->base, GRAPHS_MARKED, 0);
}

static const int16_t *known_before(const struct graph *g, const struct graph_event *read)
{
    static const int16_t nothing[GRAPH_THREADS_MAX];
    return read->po_before == GRAPH_NONE ? nothing : graph_clock(g, read->po_before, CLOCK_HB);
}

/* What a read that comes after a seq_cst fence does not see is part of psc. */
static bool comes_after_fence(const struct graph *g, const struct graph_event *read)
{
    const int16_t *hb = known_before(g, read);
    for (uint32_t e = 0, left = g->sc_fences; left > 0 && e < g->count; e++) {
        const struct graph_event *ev = &g->events[e];
        if (ev->type != GRAPH_FENCE || ev->order != ORDER_SEQ_CST)
            continue;
        if (graph_includes(hb, ev))
            return true;
        left--;
    }
    return false;
}

/* Which loads are awaited is known by location and order. */
static uint64_t kind_of(const struct graph_event *read)
{
    return read->address | (uint64_t)read->label.order << 48;
}

bool graphs_wants_oldest(const struct graphs *x, const struct graph_event *read)
{
    return x->settings.oldest_sources && read->label.operation == OPERATION_LOAD &&
           read->order != ORDER_SEQ_CST && graphs_reads_oldest(x) &&
           !explore_graphs_knows(&x->base, GRAPHS_AWAITED, kind_of(read)) && !comes_after_fence(x->g, read);
}

void graphs_note_waiting_load(struct graphs *x, const struct graph_event *read)
{
    explore_graphs_find_out(&x->base, GRAPHS_AWAITED, kind_of(read));
}

/* A write at the same location that is before this one in mo and among its causes, wherever this one has its place. */
static uint32_t write_before(const struct graph *g, uint32_t w)
{
    const struct graph_event *ev = &g->events[w];
    if (ev->type == GRAPH_INIT)
        return GRAPH_NONE;
    if (ev->flags & GRAPH_UPDATE)
        return graph_update_source(g, ev);
    uint32_t e = ev->location_before;
    while (g->events[e].type != GRAPH_INIT &&
           (g->events[e].type != GRAPH_WRITE || g->events[e].thread != ev->thread))
        e = g->events[e].location_before;
    return e;
}

/* Is there a write after w in mo that the reader knows? Then it cannot read from w. */
static bool is_hidden(const struct graph *g, const struct graph_event *read, uint32_t w)
{
    const int16_t *hb = known_before(g, read);
    for (uint32_t e = g->locations[read->location].mo_last; e != w; e = g->events[e].mo_before)
        if (graph_knows(g, hb, e, read))
            return true;
    return false;
}

static bool tells_no_more(const struct graph *g, uint32_t w, uint32_t than)
{
    return g->events[w].value == g->events[than].value && graph_is_message_within(g, w, than);
}

static uint32_t oldest_alike(const struct graph *g, const struct graph_event *read, uint32_t w)
{
    uint32_t oldest = w;
    for (uint32_t e = write_before(g, w); e != GRAPH_NONE && !is_hidden(g, read, e); e = write_before(g, e))
        if (tells_no_more(g, e, w))
            oldest = e;
    return oldest;
}

bool graphs_is_own_source(const struct graph *g, const struct graph_event *read, uint32_t w)
{
    if (graphs_has_waker(g, read))
        return graphs_is_waker(g, read, w);
    return !graphs_has_oldest(g, read) || oldest_alike(g, read, w) == w;
}

uint32_t graphs_first_source(const struct graph *g, const struct graph_event *read, uint32_t newest)
{
    if (graphs_has_waker(g, read))
        return graphs_find_waker(g, read, newest);
    return graphs_has_oldest(g, read) ? oldest_alike(g, read, newest) : newest;
}

bool graphs_found_newest(const struct graph *g, uint32_t r)
{
    if (graph_is_part(&g->events[r]))
        return graphs_parts_read_newest(g, r);
    return g->events[r].rf ==
           graphs_first_source(g, &g->events[r], g->locations[g->events[r].location].mo_last);
}

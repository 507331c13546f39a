/* SPDX-License-Identifier: Apache-2.0 */
/* What folded rounds mean for histories: docs/internals/explore/folding.md, "Histories". */
#include "explore/graphs/graphs_inside.h"

/* Does an operation of a harness end there that `before` knows nothing of, and `after` something? */
static bool ends_between(const struct graph *g, uint32_t thread, const int16_t *before, const int16_t *after)
{
    uint32_t e = before[thread] == after[thread] ? GRAPH_NONE : g->threads[thread].last;
    for (; e != GRAPH_NONE && g->events[e].index > before[thread]; e = g->events[e].po_before)
        if (g->events[e].index <= after[thread] && g->events[e].type == GRAPH_MARK &&
            g->events[e].label.kind == EVENT_OP_RETURN)
            return true;
    return false;
}

/* What a thread learns of operations that have not ended puts none of them before another. */
static bool learns_of_ended(const struct graph *g, uint32_t before, uint32_t after)
{
    static const enum graph_clock clocks[] = {CLOCK_PORF, CLOCK_HB, CLOCK_PENDING};
    for (uint32_t k = 0; k < sizeof clocks / sizeof *clocks; k++)
        for (uint32_t t = 0; t < g->thread_count; t++)
            if (t != g->events[after].thread &&
                ends_between(g, t, graph_clock(g, before, clocks[k]), graph_clock(g, after, clocks[k])))
                return true;
    return false;
}

bool graphs_round_was_news(const struct graph *g, const struct port_action *a)
{
    uint32_t last = g->threads[a->thread].last, first = GRAPH_NONE;
    for (uint32_t e = last, i = 0; i < a->round && e != GRAPH_NONE; e = g->events[e].po_before)
        if (g->events[e].type == GRAPH_READ && !(g->events[e].flags & GRAPH_PART)) {
            first = e;
            i++;
        }
    return first == GRAPH_NONE || g->events[first].po_before == GRAPH_NONE ||
           learns_of_ended(g, g->events[first].po_before, last);
}

/* --- seq_cst accesses at the edges of operations ------------------------------------------------------ */

/* The accesses of a thread so far: those of this operation, and the last ones to one location. */
struct edge {
    uint32_t operations;
    /* here: the one location that this operation has accessed; or NONE, or SEVERAL */
    uint32_t here;
    uint32_t last;
    bool last_seq_cst, returned; /* ... one of them was, and an operation has returned since */
};

enum { NO_LOCATION = UINT32_MAX, SEVERAL_LOCATIONS = UINT32_MAX - 1 };

/* Is nothing elsewhere between it and the beginning of its operation, or between one before it and it, a write
 * of a later operation? */
static bool is_at_edge(struct edge *s, const struct graph_event *ev)
{
    bool seq_cst = ev->order == ORDER_SEQ_CST;
    bool first = seq_cst && s->operations > 1 && (s->here == NO_LOCATION || s->here == ev->location);
    s->here = s->here == NO_LOCATION || s->here == ev->location ? ev->location : SEVERAL_LOCATIONS;
    if (s->last != ev->location) {
        s->last = ev->location;
        s->last_seq_cst = s->returned = false;
    }
    bool last = ev->type == GRAPH_WRITE && s->returned;
    s->last_seq_cst |= seq_cst;
    return first || last;
}

static bool thread_has_edges(const struct graph *g, uint32_t thread)
{
    struct edge s = {.here = NO_LOCATION, .last = NO_LOCATION};
    for (uint32_t e = g->threads[thread].first; e != GRAPH_NONE; e = g->events[e].po_after) {
        const struct graph_event *ev = &g->events[e];
        bool access = ev->type == GRAPH_READ || ev->type == GRAPH_WRITE;
        if (access && is_at_edge(&s, ev))
            return true;
        if (ev->type != GRAPH_MARK)
            continue;
        if (ev->label.kind == EVENT_OP_RETURN) {
            s.returned |= s.last_seq_cst;
        } else if (ev->label.kind == EVENT_OP_CALL) {
            s.operations++;
            s.here = NO_LOCATION;
        }
    }
    return false;
}

bool graphs_has_edges(const struct graph *g)
{
    if (!g->weak_accesses || !g->sc_accesses)
        return false;
    if (g->has_parts) /* perhaps: parts are accesses to several locations */
        return true;
    for (uint32_t t = 0; t < g->thread_count; t++)
        if (thread_has_edges(g, t))
            return true;
    return false;
}

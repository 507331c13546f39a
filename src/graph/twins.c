/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/twins.h"

uint32_t graph_elder_twin(const struct graph *g, uint32_t thread)
{
    uint32_t create = g->threads[thread].create;
    uint32_t before = create == GRAPH_NONE ? GRAPH_NONE : g->events[create].po_before;
    if (before == GRAPH_NONE)
        return GRAPH_NONE;
    const struct graph_event *younger = &g->events[create], *elder = &g->events[before];
    bool twins = elder->type == GRAPH_CREATE && younger->operand != 0 && younger->operand == elder->operand &&
                 younger->expected == GRAPH_NOTHING_BETWEEN;
    return twins ? (uint32_t)elder->address : GRAPH_NONE;
}

uint32_t graph_younger_twin(const struct graph *g, uint32_t thread)
{
    uint32_t create = g->threads[thread].create;
    uint32_t after = create == GRAPH_NONE ? GRAPH_NONE : g->events[create].po_after;
    if (after == GRAPH_NONE || g->events[after].type != GRAPH_CREATE)
        return GRAPH_NONE;
    uint32_t younger = (uint32_t)g->events[after].address;
    return graph_elder_twin(g, younger) == thread ? younger : GRAPH_NONE;
}

static bool is_same_step(const struct graph_event *a, const struct graph_event *b)
{
    return a->type == b->type && a->label.kind == b->label.kind && a->label.operation == b->label.operation &&
           a->label.order == b->label.order && a->label.failure_order == b->label.failure_order &&
           a->address == b->address && a->size == b->size;
}

/* The elder twin's event at the place of e, if both did the same before and do the same step now. Threads that create
 * or join others go their own ways from there on. */
static uint32_t twin_event(const struct graph *g, uint32_t e)
{
    const struct graph_event *ev = &g->events[e];
    if (ev->type == GRAPH_CREATE || ev->type == GRAPH_JOIN)
        return GRAPH_NONE;
    if (ev->po_before != GRAPH_NONE && !(g->events[ev->po_before].flags & GRAPH_TIED))
        return GRAPH_NONE;
    uint32_t elder = graph_elder_twin(g, ev->thread);
    uint32_t twin = elder == GRAPH_NONE ? GRAPH_NONE : g->threads[elder].first;
    while (twin != GRAPH_NONE && g->events[twin].index != ev->index)
        twin = g->events[twin].po_after;
    return twin != GRAPH_NONE && is_same_step(&g->events[twin], ev) ? twin : GRAPH_NONE;
}

static bool is_tied(const struct graph_event *twin, const struct graph_event *ev)
{
    const uint16_t outcome = GRAPH_UPDATE | GRAPH_BLOCKED | GRAPH_FAILS;
    switch (ev->type) {
    case GRAPH_WRITE: return false;
    case GRAPH_READ: return twin->rf == ev->rf && (twin->flags & outcome) == (ev->flags & outcome);
    default: return twin->value == ev->value;
    }
}

void graph_follow_twin(struct graph *g, uint32_t e)
{
    struct graph_event *ev = &g->events[e];
    ev->flags &= (uint16_t)~GRAPH_TIED;
    uint32_t twin = g->has_twins ? twin_event(g, e) : GRAPH_NONE;
    if (twin == GRAPH_NONE)
        return;
    const struct graph_event *step = &g->events[twin];
    if (is_tied(step, ev))
        ev->flags |= GRAPH_TIED;
    bool update = step->type == GRAPH_READ && step->flags & GRAPH_UPDATE;
    uint32_t end = update && step->po_after != GRAPH_NONE ? step->po_after : twin;
    clock_join(graph_clock(g, e, CLOCK_PORF), graph_clock(g, end, CLOCK_PORF), g->width);
}

static bool is_co_after(const struct graph *g, uint32_t w, uint32_t earlier)
{
    while (earlier != GRAPH_NONE && earlier != w)
        earlier = g->events[earlier].co_after;
    return earlier == w;
}

bool graph_is_after_twin(const struct graph *g, uint32_t e)
{
    uint32_t twin = g->has_twins ? twin_event(g, e) : GRAPH_NONE;
    if (twin == GRAPH_NONE)
        return true;
    const struct graph_event *ev = &g->events[e];
    switch (ev->type) {
    case GRAPH_READ:
        if (ev->rf == g->events[twin].rf) /* not failing comes first */
            return !(ev->flags & GRAPH_FAILS) || g->events[twin].flags & GRAPH_FAILS;
        return is_co_after(g, ev->rf, g->events[twin].rf);
    case GRAPH_WRITE: return is_co_after(g, e, twin);
    case GRAPH_BRANCH: return ev->value <= g->events[twin].value; /* 0 comes first */
    default: return true;
    }
}

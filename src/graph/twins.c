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

uint32_t graph_first_create(const struct graph *g, uint32_t thread)
{
    uint32_t elder;
    while (g->has_twins && (elder = graph_elder_twin(g, thread)) != GRAPH_NONE)
        thread = elder;
    return g->threads[thread].create;
}

bool graph_is_same_question(enum operation o, event_word operand, event_word expected,
                            event_word other_operand, event_word other_expected)
{
    switch (o) {
    case OPERATION_CAS: return expected == other_expected;
    case OPERATION_AWAIT_REACHED:
    case OPERATION_WOKEN:
    case OPERATION_LEAVE: return operand == other_operand;
    default: return true;
    }
}

static bool is_same_step(const struct graph_event *a, const struct graph_event *b)
{
    return a->type == b->type && a->label.kind == b->label.kind && a->label.operation == b->label.operation &&
           a->label.order == b->label.order && a->label.failure_order == b->label.failure_order &&
           a->address == b->address && a->size == b->size &&
           (a->type != GRAPH_READ ||
            graph_is_same_question(a->label.operation, a->operand, a->expected, b->operand, b->expected));
}

/* Threads that create or join others go their own ways from there on. */
uint32_t graph_twin_event(const struct graph *g, uint32_t e)
{
    const struct graph_event *ev = &g->events[e];
    if (!g->has_twins || ev->type == GRAPH_CREATE || ev->type == GRAPH_JOIN)
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
    case GRAPH_MARK: return true; /* its number is that of an operation of one thread */
    case GRAPH_READ: return twin->rf == ev->rf && (twin->flags & outcome) == (ev->flags & outcome);
    default: return twin->value == ev->value;
    }
}

static void be_deeper(struct graph *g, struct graph_event *ev, uint32_t cause, uint32_t by)
{
    uint32_t depth = cause == GRAPH_NONE ? 0 : g->events[cause].depth + by;
    if (depth > ev->depth)
        ev->depth = depth;
}

/* Creates in a row, and joins in a row, could as well be in another order. */
static void set_depth(struct graph *g, struct graph_event *ev)
{
    bool in_a_row = (ev->type == GRAPH_CREATE || ev->type == GRAPH_JOIN) && ev->po_before != GRAPH_NONE &&
                    g->events[ev->po_before].type == ev->type;
    ev->depth = 0;
    be_deeper(g, ev, ev->po_before, !in_a_row);
    if (ev->type == GRAPH_READ)
        be_deeper(g, ev, ev->rf, 1);
    else if (ev->type == GRAPH_BEGIN)
        be_deeper(g, ev, g->threads[ev->thread].create, 1);
    else if (ev->type == GRAPH_JOIN)
        be_deeper(g, ev, g->threads[ev->address].last, 1);
}

/* Loose is what read something without being ordered after it, and whatever comes of that. */
static bool is_loose_after(const struct graph *g, uint32_t e, uint32_t cause)
{
    return cause != GRAPH_NONE && (g->events[cause].flags & GRAPH_LOOSE ||
                                   !graph_includes(graph_clock(g, e, CLOCK_HB), &g->events[cause]));
}

static bool is_loose(const struct graph *g, uint32_t e)
{
    const struct graph_event *ev = &g->events[e];
    uint32_t from = GRAPH_NONE;
    if (ev->type == GRAPH_READ)
        from = ev->rf;
    else if (ev->type == GRAPH_BEGIN)
        from = g->threads[ev->thread].create;
    else if (ev->type == GRAPH_JOIN)
        from = g->threads[ev->address].last;
    return is_loose_after(g, e, ev->po_before) || is_loose_after(g, e, from);
}

void graph_follow_twin(struct graph *g, uint32_t e)
{
    struct graph_event *ev = &g->events[e];
    if (!g->has_twins)
        return;
    ev->flags &= (uint16_t) ~(GRAPH_TIED | GRAPH_LOOSE);
    if (g->has_depths)
        set_depth(g, ev);
    if (is_loose(g, e))
        ev->flags |= GRAPH_LOOSE;
    uint32_t twin = graph_twin_event(g, e);
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
        earlier = g->events[earlier].mo_after;
    return earlier == w;
}

/* The twins' ways to e are equally deep: so it is the write that makes the difference. */
bool graph_would_be_after_twin(const struct graph *g, uint32_t e, uint32_t w)
{
    const struct graph_event *twin = &g->events[graph_twin_event(g, e)];
    if (w == twin->rf)
        return true;
    uint32_t before = g->events[e].po_before, depth = before == GRAPH_NONE ? 0 : g->events[before].depth + 1;
    if (g->has_depths && g->events[w].depth >= depth)
        depth = g->events[w].depth + 1;
    if (g->has_depths && depth != twin->depth)
        return depth > twin->depth;
    return is_co_after(g, w, twin->rf);
}

bool graph_is_after_twin(const struct graph *g, uint32_t e)
{
    uint32_t twin = graph_twin_event(g, e);
    if (twin == GRAPH_NONE)
        return true;
    const struct graph_event *ev = &g->events[e];
    switch (ev->type) {
    case GRAPH_READ:
        if (ev->rf == g->events[twin].rf) /* not failing comes first */
            return !(ev->flags & GRAPH_FAILS) || g->events[twin].flags & GRAPH_FAILS;
        return graph_would_be_after_twin(g, e, ev->rf);
    case GRAPH_WRITE: return is_co_after(g, e, twin);
    case GRAPH_BRANCH: return ev->value <= g->events[twin].value; /* 0 comes first */
    default: return true;
    }
}

/* The write of an update that reads from w, or GRAPH_NONE. */
static uint32_t update_of(const struct graph *g, uint32_t w)
{
    uint32_t after = g->events[w].mo_after;
    bool updates = after != GRAPH_NONE && graph_update_source(g, &g->events[after]) == w;
    return updates ? after : GRAPH_NONE;
}

uint32_t graph_source_like_twin(const struct graph *g, uint32_t e, const int16_t *causes)
{
    uint32_t twin = graph_twin_event(g, e);
    if (!(g->events[twin].flags & GRAPH_UPDATE))
        return g->events[twin].rf;
    uint32_t w = g->events[twin].po_after, next;
    while ((next = update_of(g, w)) != GRAPH_NONE &&
           (!causes || next <= e || graph_includes(causes, &g->events[next])))
        w = next;
    return w;
}

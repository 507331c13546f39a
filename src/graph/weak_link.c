/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/weak_link.h"

#include "base/check.h"

/* What an event may know of `from`, as the clocks of events have it; but here each access may be taken for release or acquire, at
 * a cost. */
enum knowledge {
    HAPPENS, /* from happens before the event, or is it */
    FENCED,  /* it did at the last release fence */
    PENDING, /* it was read, but not acquired */
    CARRIED, /* the message of the write has it */
    KNOWLEDGES
};

enum { COST_READ = 1, COST_WEAK = 1 << 16 };
#define UNREACHED UINT32_MAX

_Static_assert((int)KNOWLEDGES <= (int)GRAPH_SCRATCH, "one word of scratch memory for each");

struct node {
    uint32_t event;
    enum knowledge knowledge;
};

struct way {
    const struct graph *g;
    uint32_t from;
    /* Of the node at hand: the best node before it, and the cost up to here */
    struct node best;
    uint32_t cost;
};

static uint32_t *cost_at(const struct graph *g, struct node n)
{
    return &g->scratch[(size_t)n.event * GRAPH_SCRATCH + n.knowledge];
}

/* A plain access can be neither release nor acquire. */
static bool is_plain(const struct graph_event *ev)
{
    return ev->label.failure_order == ORDER_PLAIN;
}

/* Of equal ones the first counts: program order before reads-from, so that the read is the earliest that would do. */
static void offer(struct way *y, uint32_t event, enum knowledge knowledge, uint32_t cost)
{
    struct node n = {event, knowledge};
    if (event == GRAPH_NONE || y->g->events[event].type == GRAPH_INIT || *cost_at(y->g, n) == UNREACHED)
        return;
    cost += *cost_at(y->g, n);
    if (cost < y->cost) {
        y->cost = cost;
        y->best = n;
    }
}

/* Of an access with parts the last one has the order. */
static unsigned order_of(const struct graph *g, const struct graph_event *ev)
{
    return g->events[graph_last_part(g, (uint32_t)(ev - g->events))].order;
}

static void offer_to_happens(struct way *y, const struct graph_event *ev)
{
    const struct graph *g = y->g;
    offer(y, ev->po_before, HAPPENS, 0);
    if (ev->type == GRAPH_READ && !is_plain(ev))
        offer(y, ev->rf, CARRIED, graph_is_acquire(order_of(y->g, ev)) ? COST_READ : COST_READ + COST_WEAK);
    else if (ev->type == GRAPH_FENCE && graph_is_acquire(ev->order))
        offer(y, ev->po_before, PENDING, 0);
    else if (ev->type == GRAPH_BEGIN)
        offer(y, g->threads[ev->thread].create, HAPPENS, 0);
    else if (ev->type == GRAPH_JOIN)
        offer(y, g->threads[ev->address].last, HAPPENS, 0);
}

static void offer_to_message(struct way *y, uint32_t e, const struct graph_event *ev)
{
    if (ev->type != GRAPH_WRITE)
        return;
    if (!is_plain(ev))
        offer(y, e, HAPPENS, graph_is_release(ev->order) ? 0 : COST_WEAK);
    offer(y, e, FENCED, 0);
    if (ev->flags & GRAPH_UPDATE)
        offer(y, graph_update_source(y->g, ev), CARRIED, 0);
    if (y->g->stores_continue)
        offer(y, graph_sequence_head(y->g, ev), HAPPENS, 0);
}

/* What comes directly before the node, and what it costs. */
static void look_back(struct way *y, struct node n)
{
    const struct graph_event *ev = &y->g->events[n.event];
    y->cost = n.event == y->from && n.knowledge == HAPPENS ? 0 : UNREACHED;
    y->best = n;
    if (y->cost == 0 || (ev->type == GRAPH_READ && ev->flags & GRAPH_BLOCKED))
        return;
    switch (n.knowledge) {
    case HAPPENS: offer_to_happens(y, ev); break;
    case FENCED:
        if (ev->type == GRAPH_FENCE && graph_is_release(ev->order))
            offer(y, n.event, HAPPENS, 0);
        else
            offer(y, ev->po_before, FENCED, 0);
        break;
    case PENDING:
        offer(y, ev->po_before, PENDING, 0);
        if (ev->type == GRAPH_READ)
            offer(y, ev->rf, CARRIED, COST_READ);
        break;
    default: offer_to_message(y, n.event, ev); break;
    }
}

static bool improve(struct way *y, uint32_t e)
{
    bool changed = false;
    for (enum knowledge k = HAPPENS; k < KNOWLEDGES; k++) {
        struct node n = {e, k};
        look_back(y, n);
        changed |= y->cost != *cost_at(y->g, n);
        *cost_at(y->g, n) = y->cost;
    }
    return changed;
}

/* Events nearly have the order of their causes already, so few rounds are needed. */
static void find_costs(struct way *y)
{
    const struct graph *g = y->g;
    for (uint32_t i = 0; i < g->count * GRAPH_SCRATCH; i++)
        g->scratch[i] = UNREACHED;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t e = 0; e < g->count; e++)
            if (g->events[e].type != GRAPH_INIT)
                changed |= improve(y, e);
    }
}

/* One step of the way, walked backwards: links are noted where they begin, the first one last. */
static void note_step(const struct graph *g, struct node n, struct node before, struct graph_weak_link *at,
                      struct graph_weak_link *found)
{
    const struct graph_event *ev = &g->events[n.event];
    if (n.knowledge == HAPPENS && before.knowledge == CARRIED) {
        *at = (struct graph_weak_link){.read = n.event,
                                       .read_is_weak = !graph_is_acquire(order_of(g, ev)),
                                       .release_fence = GRAPH_NONE,
                                       .acquire_fence = GRAPH_NONE};
    } else if (n.knowledge == HAPPENS && before.knowledge == PENDING) {
        *at = (struct graph_weak_link){.release_fence = GRAPH_NONE, .acquire_fence = n.event};
    } else if (n.knowledge == PENDING && before.knowledge == CARRIED) {
        at->read = n.event;
    } else if (n.knowledge == CARRIED && before.knowledge != CARRIED) {
        at->write = before.event; /* C11: an earlier store may have released */
        at->write_is_weak =
            before.knowledge == HAPPENS && !graph_is_release(order_of(g, &g->events[at->write]));
        if (at->write_is_weak || at->read_is_weak) {
            at->count = found->count + 1;
            *found = *at;
        }
    } else if (n.knowledge == FENCED && before.knowledge == HAPPENS && found->write == at->write) {
        found->release_fence = n.event;
    }
}

bool graph_find_weak_link(const struct graph *g, uint32_t from, uint32_t to, struct graph_weak_link *link)
{
    struct way y = {.g = g, .from = from};
    struct graph_weak_link at = {.write = GRAPH_NONE};
    *link = (struct graph_weak_link){.write = GRAPH_NONE, .read = GRAPH_NONE};
    find_costs(&y);
    struct node n = {to, HAPPENS};
    if (*cost_at(g, n) == UNREACHED)
        return false;
    while (n.event != from || n.knowledge != HAPPENS) {
        look_back(&y, n);
        CHECK(y.best.event != n.event || y.best.knowledge != n.knowledge);
        note_step(g, n, y.best, &at, link);
        n = y.best;
    }
    return link->count > 0;
}

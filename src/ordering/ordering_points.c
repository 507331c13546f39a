/* SPDX-License-Identifier: Apache-2.0 */
#include "ordering/ordering_points.h"

#include "base/check.h"

static uint32_t mo_index(const struct graph *g, uint32_t w)
{
    uint32_t index = 0;
    for (uint32_t e = g->events[w].mo_before; e != GRAPH_NONE; e = g->events[e].mo_before)
        index++;
    return index;
}

struct ordering_point ordering_point_of(const struct graph *g, uint32_t event)
{
    const struct graph_event *e = &g->events[event];
    if (e->type == GRAPH_READ && e->flags & GRAPH_UPDATE && e->po_after != GRAPH_NONE) {
        event = e->po_after;
        e = &g->events[event];
    }
    bool reads = e->type == GRAPH_READ;
    CHECK(reads || graph_is_write(e));
    uint32_t key = 2 * mo_index(g, reads ? e->rf : event) + reads;
    return (struct ordering_point){.event = event, .location = e->location, .key = key};
}

/* The last event of the thread with an index below `end`. */
static uint32_t last_before(const struct graph *g, uint32_t thread, uint32_t end)
{
    uint32_t e = thread < g->thread_count ? g->threads[thread].last : GRAPH_NONE;
    while (e != GRAPH_NONE && g->events[e].index >= end)
        e = g->events[e].po_before;
    return e;
}

/* Another thread knows of the begin by an event that comes after it. `last`: the last event before the end of b. */
static bool begins_before(const struct graph *g, struct ordering_span a, struct ordering_span b,
                          uint32_t last)
{
    if (a.thread == b.thread)
        return a.begin_number < b.end_number;
    return last != GRAPH_NONE && a.thread < g->width &&
           graph_clock(g, last, CLOCK_HB)[a.thread] > (int64_t)a.begin;
}

void ordering_find_before(const struct graph *g, const struct ordering_span *spans, uint32_t count,
                          uint64_t *before)
{
    for (uint32_t a = 0; a < count; a++)
        before[a] = 0;
    for (uint32_t b = 0; b < count; b++) {
        uint32_t last = last_before(g, spans[b].thread, spans[b].end);
        for (uint32_t a = 0; a < count; a++)
            if (begins_before(g, spans[a], spans[b], last))
                before[a] |= (uint64_t)1 << b;
    }
}

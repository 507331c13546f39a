/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/calls/calls_state.h"

#include "ordering/ordering_points.h"

/* ------------------------------------------------------------------ points */

static uint32_t find_event(const struct graph *g, uint32_t thread, uint32_t index)
{
    uint32_t e = g->threads[thread].first;
    while (e != GRAPH_NONE && g->events[e].index < index)
        e = g->events[e].po_after;
    return e;
}

static bool only_reads(const struct event *e)
{
    return e->kind == EVENT_READ || e->kind == EVENT_CAS_FAILED || (e->kind == EVENT_TRYLOCK && !e->value);
}

/* In a schedule the writes of a location are ordered as they happen. The location is the first event there. */
static struct ordering_point point_in_trace(const struct worker_shared *s, uint32_t event)
{
    uint32_t writes = 0, first = UINT32_MAX;
    for (uint32_t k = 0; k <= event; k++) {
        if (s->events[k].address != s->events[event].address || !event_is_access(s->events[k].kind))
            continue;
        first = first == UINT32_MAX ? k : first;
        writes += !only_reads(&s->events[k]);
    }
    return (struct ordering_point){event, first, 2 * writes + only_reads(&s->events[event])};
}

void calls_find_points(struct calls_question *q, const struct worker_shared *shared)
{
    for (uint32_t k = 0; k < calls.count; k++) {
        const struct call *c = &calls.list[k];
        for (uint32_t p = 0; p < c->point_count; p++)
            q->points[k * CALL_POINTS + p] =
                q->graph ? ordering_point_of(q->graph, find_event(q->graph, c->thread, c->points[p]))
                         : point_in_trace(shared, c->points[p]);
    }
}

/* ------------------------------------------------------------------ happens-before */

static void find_before_by_clocks(struct calls_question *q)
{
    for (uint32_t a = 0; a < calls.count; a++) {
        q->before[a] = 0;
        for (uint32_t b = 0; b < calls.count; b++)
            q->before[a] |= (calls.list[b].known >> a & 1) << b;
    }
}

void calls_find_before(struct calls_question *q)
{
    struct ordering_span spans[CALLS_MOST];
    if (!q->graph) {
        find_before_by_clocks(q);
        return;
    }
    for (uint32_t k = 0; k < calls.count; k++) {
        const struct call *c = &calls.list[k];
        spans[k] = (struct ordering_span){c->thread, c->begin, c->completed ? c->end : c->begin,
                                          c->begin_mark, c->completed ? c->end_mark : c->begin_mark};
    }
    ordering_find_before(q->graph, spans, calls.count, q->before);
}

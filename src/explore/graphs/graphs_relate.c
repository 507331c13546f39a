/* SPDX-License-Identifier: Apache-2.0 */
/* What the graph of an execution says about its steps, for display. */
#include "explore/graphs/graphs_inside.h"

#include "base/memory.h"

struct relater {
    const struct graph *g;
    uint32_t *step_of;                 /* by stamp, from 1; 0: initial value, or did not happen */
    uint32_t *rank_of;                 /* by stamp, of writes: place in mo, 0: initial value */
    uint32_t *newest;                  /* by location: of those that have happened */
    uint32_t *last[GRAPH_THREADS_MAX]; /* the step of the thread's event with that index, or of one before */
};

uint32_t explore_graphs_step_count(const struct explorer *e)
{
    return (uint32_t)graphs_of(e)->run.happened.len;
}

uint32_t explore_graphs_step_of(const struct explorer *e, uint32_t event)
{
    const struct graphs *x = graphs_of(e);
    uint32_t first = graph_first_of_step(x->g, event);
    for (uint32_t i = 0; i < x->run.happened.len; i++)
        if (x->run.happened.data[i].event == first)
            return i + 1;
    return 0;
}

static void number_steps(struct relater *r, const struct graphs *x)
{
    for (uint32_t i = 0; i < x->run.happened.len; i++) {
        uint32_t e = x->run.happened.data[i].event;
        if (e == GRAPH_NONE)
            continue;
        for (uint32_t last = graph_last_of_step(x->g, e);; e = x->g->events[e].po_after) {
            r->step_of[e] = i + 1;
            r->last[x->g->events[e].thread][x->g->events[e].index] = i + 1;
            if (e == last)
                break;
        }
    }
}

static void rank_writes(struct relater *r)
{
    for (uint32_t l = 0; l < r->g->location_count; l++) {
        uint32_t w = r->g->locations[l].init, rank = 0;
        r->newest[l] = w;
        for (; w != GRAPH_NONE; w = r->g->events[w].mo_after)
            r->rank_of[w] = rank++;
    }
}

static void prepare(struct relater *r, const struct graphs *x)
{
    *r = (struct relater){.g = x->g,
                          .step_of = NEW_ZEROED(uint32_t, x->g->count + 1),
                          .rank_of = NEW_ZEROED(uint32_t, x->g->count + 1),
                          .newest = NEW_ZEROED(uint32_t, x->g->location_count + 1)};
    for (uint32_t t = 0; t < GRAPH_THREADS_MAX; t++) {
        uint32_t last = x->g->threads[t].last;
        r->last[t] = NEW_ZEROED(uint32_t, last == GRAPH_NONE ? 1 : x->g->events[last].index + 1u);
    }
    number_steps(r, x);
    rank_writes(r);
}

static void relate_write(struct relater *r, uint32_t w, struct graphs_relation *out)
{
    uint32_t *newest = &r->newest[r->g->events[w].location];
    out->writes = true;
    out->plain = r->g->events[w].label.kind == EVENT_PLAIN_WRITE;
    out->place = r->rank_of[w];
    if (r->rank_of[w] > r->rank_of[*newest])
        *newest = w;
    out->newest = r->step_of[*newest];
}

static void relate_before(const struct relater *r, uint32_t e, struct graphs_relation *out)
{
    const int16_t *hb = graph_clock(r->g, e, CLOCK_HB);
    for (uint32_t t = 0; t < r->g->width && t < GRAPH_THREADS_MAX; t++)
        out->before[t] = hb[t] > 0 ? r->last[t][hb[t] - 1] : 0;
}

/* Of several parts that read different writes, the one that happened last is shown. */
static void relate_read(const struct relater *r, const struct graph_event *ev, struct graphs_relation *out)
{
    uint32_t source = r->step_of[ev->rf], newest = r->step_of[r->newest[ev->location]];
    if (!out->reads || source > out->source) {
        out->source = source;
        out->newest = newest;
    }
    out->reads = true;
}

static void relate(struct relater *r, uint32_t e, struct graphs_relation *out)
{
    uint32_t last = graph_last_of_step(r->g, e);
    for (;; e = r->g->events[e].po_after) {
        const struct graph_event *ev = &r->g->events[e];
        if (ev->type == GRAPH_READ)
            relate_read(r, ev, out);
        else if (ev->type == GRAPH_WRITE)
            relate_write(r, e, out);
        if (e == last)
            break;
    }
    relate_before(r, last, out);
}

void explore_graphs_relate(const struct explorer *e, struct graphs_relation *relations)
{
    const struct graphs *x = graphs_of(e);
    struct relater r;
    prepare(&r, x);
    for (uint32_t i = 0; i < x->run.happened.len; i++) {
        relations[i] = (struct graphs_relation){.thread = x->run.happened.data[i].thread};
        if (x->run.happened.data[i].event != GRAPH_NONE)
            relate(&r, x->run.happened.data[i].event, &relations[i]);
    }
    for (uint32_t t = 0; t < GRAPH_THREADS_MAX; t++)
        free(r.last[t]);
    free(r.step_of);
    free(r.rank_of);
    free(r.newest);
}

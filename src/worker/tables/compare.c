/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/tables/tables.h"

#include "explore/graphs_memory.h"

static struct conflicts *conflicts; /* lasts as long as the process */

static uint8_t kind_of(const struct graph_event *ev)
{
    bool failed =
        ev->type == GRAPH_READ && !(ev->flags & GRAPH_UPDATE) && ev->label.operation == OPERATION_CAS;
    return failed ? EVENT_CAS_FAILED : ev->label.kind;
}

static void note_cycle(struct worker_cycle *out, const struct graph *g, const struct graph_cycle *cycle)
{
    out->count = cycle->count;
    for (uint32_t k = 0; k < cycle->count; k++) {
        const struct graph_event *ev = &g->events[cycle->steps[k].event];
        out->steps[k] = (struct worker_cycle_step){
            .address = ev->type <= GRAPH_READ ? ev->address & ~GRAPHS_OBJECT : 0,
            .op = conflicts_operation_of(conflicts, cycle->steps[k].event),
            .thread = ev->thread,
            .kind = kind_of(ev),
            .size = ev->address & GRAPHS_OBJECT ? 0 : ev->size, /* an object is known by where it begins */
            .relation = (uint8_t)cycle->steps[k].relation,
        };
    }
}

static void count_conflicts(struct worker_compared *c, const struct graph *g, bool linearizable)
{
    c->not_serializable++;
    if (c->not_serializable == 1 || (linearizable && c->false_alarms == 0)) {
        struct graph_cycle cycle;
        conflicts_find_cycle(conflicts, &cycle);
        note_cycle(&c->serializable, g, &cycle);
    }
    if (!linearizable)
        return;
    c->false_alarms++;
    c->reasons[conflicts_reason(conflicts)]++;
}

static void count_weak(struct worker_compared *c, const struct graph *g)
{
    struct graph_cycle cycle;
    if (graph_is_sequential(g, c->not_sequential ? NULL : &cycle))
        return;
    if (c->not_sequential++ == 0)
        note_cycle(&c->sequential, g, &cycle);
}

void compare_execution(struct worker_shared *s, const struct graph *g, bool linearizable)
{
    struct worker_compared *c = &s->compared;
    if (!conflicts)
        conflicts = conflicts_new();
    c->executions++;
    enum conflicts_answer answer = conflicts_read(conflicts, g); /* knows operations, too */
    if (s->config.compare & COMPARE_CONFLICTS && answer == CONFLICTS_CYCLE)
        count_conflicts(c, g, linearizable);
    c->too_large += answer == CONFLICTS_TOO_MANY;
    if (s->config.compare & COMPARE_WEAK)
        count_weak(c, g);
}

/* --- registration ----------------------------------------------------------------------------------- */

struct tables tables;

void tables_register(const struct worker_config *c)
{
    tables = (struct tables){c->count ? count_histories : NULL, c->compare ? compare_execution : NULL};
}

void tables_recount(struct worker_shared *s)
{
    s->compared = (struct worker_compared){0};
    s->counted.met = s->counted.orders_met = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/verdict/verdict_history.h"

#include "graph/cycles.h"

static bool is_access(const struct graph *g, uint32_t k)
{
    const struct graph_event *e = &g->events[k];
    return (e->type == GRAPH_READ || e->type == GRAPH_WRITE) && graph_has_happened(g, k);
}

/* Threads that are in an operation at each event of theirs, and not thread 0, which calls before and after all others. */
static bool is_within(bool *within, const struct graph_event *e)
{
    if (e->thread == 0 || e->thread >= GRAPH_THREADS_MAX)
        return false;
    if (e->type == GRAPH_MARK)
        within[e->thread] = e->label.kind == EVENT_OP_CALL;
    return within[e->thread];
}

/* The first thread that is known to access the location, and whether one of them wrote: two words for each. */
static bool meets(const struct graph *g, const struct graph_event *e)
{
    uint32_t *first = &g->scratch[2 * e->location], *wrote = first + 1;
    bool writes = e->type == GRAPH_WRITE;
    bool found = *first && *first != e->thread && (writes || *wrote);
    if (!*first)
        *first = e->thread;
    *wrote |= writes;
    return found;
}

void meetings_look(struct worker_shared *shared, const struct graph *g)
{
    bool within[GRAPH_THREADS_MAX] = {0};
    if (shared->met || 2 * (uint64_t)g->location_count > (uint64_t)g->capacity * GRAPH_SCRATCH)
        return;
    for (uint32_t k = 0; k < 2 * g->location_count; k++)
        g->scratch[k] = 0;
    for (uint32_t k = 0; k < g->count && !shared->met; k++) {
        const struct graph_event *e = &g->events[k];
        if (e->type != GRAPH_INIT && is_within(within, e) && is_access(g, k))
            shared->met = meets(g, e);
    }
}

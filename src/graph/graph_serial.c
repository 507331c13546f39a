/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/graph_serial.h"

#include "base/memory.h"

/* The thread's first event of that type, or its last one. */
static uint32_t find_type(const struct graph *g, uint32_t thread, enum graph_type type, bool last)
{
    uint32_t found = GRAPH_NONE;
    for (uint32_t e = g->threads[thread].first; e != GRAPH_NONE; e = g->events[e].po_after)
        if (g->events[e].type == type && (last || found == GRAPH_NONE))
            found = e;
    return found;
}

static bool is_joined(const struct graph *g, uint32_t thread)
{
    if (g->threads[thread].first == GRAPH_NONE)
        return true;
    for (uint32_t e = g->threads[0].first; e != GRAPH_NONE; e = g->events[e].po_after)
        if (g->events[e].type == GRAPH_JOIN && g->events[e].address == thread)
            return true;
    return false;
}

static bool are_all_joined(const struct graph *g)
{
    for (uint32_t t = 1; t < g->thread_count; t++)
        if (!is_joined(g, t))
            return false;
    return true;
}

static bool comes_before(const struct graph *g, uint32_t e, uint32_t create)
{
    return g->events[e].thread == 0 && g->events[e].index < g->events[create].index;
}

/* Does it come last in mo, of what comes before `create`? Others may read this one. */
static bool is_last_write(const struct graph *g, uint32_t w, uint32_t create)
{
    const struct graph_event *ev = &g->events[w];
    return graph_is_write(ev) && (ev->mo_after == GRAPH_NONE || !comes_before(g, ev->mo_after, create));
}

static void mark_first(const struct graph *g, bool *marked)
{
    uint32_t create = find_type(g, 0, GRAPH_CREATE, false);
    if (create == GRAPH_NONE || g->has_parts)
        return;
    for (uint32_t e = g->events[create].po_before; e != GRAPH_NONE; e = g->events[e].po_before)
        marked[e] = !is_last_write(g, e, create);
}

static void mark_last(const struct graph *g, bool *marked)
{
    uint32_t join = find_type(g, 0, GRAPH_JOIN, true);
    if (join == GRAPH_NONE || !are_all_joined(g))
        return;
    for (uint32_t e = g->events[join].po_after; e != GRAPH_NONE; e = g->events[e].po_after)
        marked[e] = true;
}

/* Initial values that only marked events have to do with. */
static void mark_initial(const struct graph *g, bool *marked)
{
    OWNED bool *used = NEW_ZEROED(bool, g->location_count + 1);
    for (uint32_t e = 0; e < g->count; e++)
        if (!marked[e] && g->events[e].type != GRAPH_INIT && g->events[e].location != GRAPH_NONE)
            used[g->events[e].location] = true;
    for (uint32_t l = 0; l < g->location_count; l++)
        if (g->locations[l].init != GRAPH_NONE && !used[l])
            marked[g->locations[l].init] = true;
}

bool *graph_find_serial(const struct graph *g)
{
    bool *marked = NEW_ZEROED(bool, g->count + 1);
    mark_first(g, marked);
    mark_last(g, marked);
    for (uint32_t e = 0; e < g->count; e++)
        if (graph_is_note(&g->events[e]))
            marked[e] = false;
    mark_initial(g, marked);
    return marked;
}

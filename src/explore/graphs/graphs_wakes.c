/* SPDX-License-Identifier: Apache-2.0 */
/* A sleeper that was woken reads from the step that woke it, and from nothing later: docs/internals/explore/graphs.md, "Sleepers". */
#include "explore/graphs/graphs_inside.h"

static bool is_woken(const struct graph_event *read, const struct graph_event *w)
{
    return operation_apply(OPERATION_WOKEN, read->size, read->operand, read->expected, w->value).possible;
}

bool graphs_is_waker(const struct graph *g, const struct graph_event *read, uint32_t write)
{
    const struct graph_event *w = &g->events[write];
    uint32_t before = w->flags & GRAPH_UPDATE ? graph_update_source(g, w) : w->mo_before;
    return is_woken(read, w) && (before == GRAPH_NONE || !is_woken(read, &g->events[before]));
}

uint32_t graphs_find_waker(const struct graph *g, const struct graph_event *read, uint32_t newest)
{
    if (!is_woken(read, &g->events[newest]))
        return newest;
    while (!graphs_is_waker(g, read, newest))
        newest = g->events[newest].mo_before;
    return newest;
}

bool graphs_has_wakers(const struct graphs *x)
{
    return x->model->mo_against_causes && !x->settings.base_rule_only && !x->settings.symmetry;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Twins: threads that do the same. What the graph cannot see is watched here: that a younger twin does not go ahead, and
 * that nothing distinguishes twins. */
#include "explore/graphs/graphs_inside.h"

#include "graph/twins.h"

static bool is_same_action(const struct port_action *a, const struct port_action *b)
{
    return a->kind == b->kind && a->operation == b->operation && a->order == b->order &&
           a->failure_order == b->failure_order && a->size == b->size &&
           graphs_address(a) == graphs_address(b) &&
           graph_is_same_question(a->operation, a->operand, a->expected, b->operand, b->expected);
}

static uint32_t steps_of(const struct graph *g, uint32_t thread)
{
    uint32_t last = g->threads[thread].last;
    return last == GRAPH_NONE ? 0 : g->events[last].index + 1u;
}

/* An elder twin that waits, waits where the younger one would, too. So no thread waits forever because of this. */
bool graphs_waits_for_twin(const struct graphs *x, const struct port_action *next, uint32_t thread)
{
    const struct graph *g = x->g;
    const struct port_action *a = &next[thread];
    uint32_t last = g->threads[thread].last;
    if (a->kind == EVENT_JOIN || a->kind == EVENT_CREATE || a->kind == EVENT_YIELD)
        return false;
    if (last != GRAPH_NONE && !(g->events[last].flags & GRAPH_TIED))
        return false;
    uint32_t elder = graph_elder_twin(g, thread);
    if (elder == GRAPH_NONE || steps_of(g, elder) > steps_of(g, thread) || next[elder].flags & PORT_SPINS)
        return false;
    return next[elder].kind == EVENT_YIELD || is_same_action(&next[elder], a);
}

bool graphs_repeats_before_twin(const struct graphs *x, uint32_t e)
{
    const struct graph_event *ev = &x->g->events[e];
    if (ev->po_before != GRAPH_NONE && !(x->g->events[ev->po_before].flags & GRAPH_TIED))
        return false;
    uint32_t elder = graph_elder_twin(x->g, ev->thread);
    if (elder == GRAPH_NONE || x->run.done[elder] > ev->index)
        return false;
    uint32_t twin = graph_twin_event(x->g, e);
    return twin != GRAPH_NONE && !(x->g->events[twin].flags & GRAPH_BLOCKED);
}

static bool has_twin(const struct graph *g, uint32_t thread)
{
    return thread < GRAPH_THREADS_MAX &&
           (graph_elder_twin(g, thread) != GRAPH_NONE || graph_younger_twin(g, thread) != GRAPH_NONE);
}

bool graphs_has_twins(struct graphs *x)
{
    uint32_t site = x->settings.symmetry ? graphs_site_at(x, GRAPHS_TWINS_ADDRESS) : 0;
    return x->settings.symmetry && !x->sites.has_mixed && !x->sites.list.data[site].no_mutex;
}

/* Twins can be distinguished: everything begins again without them. */
static void give_up_symmetry(struct graphs *x)
{
    if (graphs_has_twins(x))
        graphs_give_up_mutex(x, graphs_site_at(x, GRAPHS_TWINS_ADDRESS));
}

/* What is first for a read must exist in every graph: so not the last write in mo, if that would be out of order. A mutex
 * that is unlocked by its owner only has no such orders. */
void graphs_follow_twin(struct graphs *x, uint32_t r)
{
    struct graph *g = x->g;
    if (graph_is_after_twin(g, r))
        return;
    const struct graph_event *twin = &g->events[graph_twin_event(g, r)];
    graph_set_rf(g, r, graph_source_like_twin(g, r, NULL));
    graphs_forget_useless_update(x, r);
    if (twin->flags & GRAPH_FAILS) {
        vec_push(&x->search.items, ((struct graphs_item){r, twin->rf, ITEM_RF, GRAPHS_HAS_FAILED}));
        graph_set_failing(g, r);
    }
    bool updates = g->events[r].flags & GRAPH_UPDATE;
    if (g->events[r].flags & GRAPH_LOCK_RULE || (updates && !(twin->flags & GRAPH_UPDATE)))
        give_up_symmetry(x);
}

/* Does the twin wait with what the read found? */
bool graphs_twin_waits(const struct graph *g, uint32_t r)
{
    uint32_t twin = graph_twin_event(g, r);
    return twin != GRAPH_NONE && g->events[twin].rf == g->events[r].rf &&
           g->events[twin].flags & GRAPH_BLOCKED;
}

void explore_graphs_distinguish_twins(struct explorer *e, uint32_t thread)
{
    struct graphs *x = graphs_of(e);
    if (x->settings.symmetry && has_twin(x->g, thread))
        give_up_symmetry(x);
}

bool explore_graphs_gave_up_symmetry(const struct explorer *e)
{
    return graphs_of(e)->settings.symmetry && !graphs_has_twins(graphs_of(e));
}

static bool includes(uint64_t set, uint32_t thread)
{
    return thread == GRAPH_NONE || set >> thread & 1;
}

/* The joins, up to and including `join`, between which nothing could be noticed: all twins must be among them. */
static bool joins_all_twins(const struct graph *g, uint32_t join)
{
    uint64_t joined = 0;
    bool more = true;
    for (; more && join != GRAPH_NONE && g->events[join].type == GRAPH_JOIN;
         join = g->events[join].po_before) {
        joined |= UINT64_C(1) << g->events[join].address;
        more = g->events[join].expected == GRAPH_NOTHING_BETWEEN;
    }
    for (uint64_t left = joined; left; left &= left - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(left);
        if (!includes(joined, graph_elder_twin(g, t)) || !includes(joined, graph_younger_twin(g, t)))
            return false;
    }
    return true;
}

void graphs_watch_joins(struct graphs *x, const struct port_action *a)
{
    const struct graph *g = x->g;
    if (a->kind == EVENT_JOIN && a->operand && has_twin(g, (uint32_t)a->address))
        give_up_symmetry(x);
    if (a->kind == EVENT_JOIN && a->expected == GRAPH_NOTHING_BETWEEN)
        return;
    uint32_t last = g->threads[a->thread].last;
    while (last != GRAPH_NONE &&
           (g->events[last].type == GRAPH_WRITE || g->events[last].type == GRAPH_BRANCH))
        last = g->events[last].po_before; /* those that are no steps */
    if (last != GRAPH_NONE && g->events[last].type == GRAPH_JOIN && !joins_all_twins(g, last))
        give_up_symmetry(x);
}

/* An execution that does not exist says nothing about what comes after a join that it did not get past. */
void graphs_watch_assumptions(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    bool assumes = false, joins = false;
    for (; waiting; waiting &= waiting - 1) {
        const struct port_action *a = &next[__builtin_ctzll(waiting)];
        assumes |= a->flags & PORT_ASSUMES;
        joins |= a->kind == EVENT_JOIN && has_twin(x->g, (uint32_t)a->address);
    }
    if (assumes && joins)
        give_up_symmetry(x);
}

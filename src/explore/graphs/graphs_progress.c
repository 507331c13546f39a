/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that stops forever, and whether what the others do then ends. docs/internals/explore/progress.md has the argument. */
#include "explore/graphs/graphs_inside.h"

/* A plain write to what atomic accesses have touched is one of these only because it has a place in the graph: who reads it
 * without a race has learnt of it by another one. */
static bool is_observable(const struct graph_event *ev)
{
    return ev->type == GRAPH_CREATE ||
           (ev->type == GRAPH_WRITE && !(ev->flags & GRAPH_MORE) && !graphs_is_deferred(ev));
}

static uint32_t count_observable(const struct graph *g, uint32_t thread)
{
    uint32_t count = 0;
    for (uint32_t e = g->threads[thread].first; e != GRAPH_NONE; e = g->events[e].po_after)
        count += is_observable(&g->events[e]);
    return count;
}

void explore_graphs_stop_thread(struct explorer *e, uint32_t thread, uint32_t after)
{
    graphs_of(e)->run.victim = (struct graphs_victim){.thread = thread, .after = after, .last = GRAPH_NONE};
}

/* What depends on the thread's own steps alone is a hold (docs/internals/explore/loops.md): the program with it is an ordinary one. */
void graphs_look_for_stop(struct graphs *x, const struct port_action *next)
{
    struct graphs_victim *v = &x->run.victim;
    if (v->thread == GRAPH_NONE || v->has_stopped)
        return;
    uint32_t last = x->g->threads[v->thread].last;
    if (last != v->last) {
        v->last = last;
        v->count = count_observable(x->g, v->thread);
    }
    bool exists = v->thread == 0 || x->g->threads[v->thread].create != GRAPH_NONE;
    v->has_stopped =
        exists && v->count >= v->after && !graphs_has_ended(x->g, v->thread) && !next[v->thread].within;
}

uint64_t graphs_stopped(const struct graphs *x)
{
    return x->run.victim.has_stopped ? UINT64_C(1) << x->run.victim.thread : 0;
}

uint32_t explore_graphs_stopped_thread(const struct explorer *e)
{
    const struct graphs *x = graphs_of(e);
    return graphs_stopped(x) ? x->run.victim.thread : UINT32_MAX;
}

uint64_t graphs_left_waiting(const struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    uint64_t excused = graphs_stopped(x), before = 0;
    while (excused != before) {
        before = excused;
        for (uint64_t rest = waiting & ~excused; rest; rest &= rest - 1) {
            const struct port_action *a = &next[__builtin_ctzll(rest)];
            if (a->kind == EVENT_JOIN && excused >> a->address & 1)
                excused |= rest & -rest;
        }
    }
    return waiting & ~excused;
}

void graphs_count_published(struct graphs *x)
{
    for (uint32_t t = 0; t < x->g->thread_count; t++) {
        uint32_t count = count_observable(x->g, t);
        if (count > x->counts.published[t])
            x->counts.published[t] = (uint16_t)count;
    }
}

/* --- beyond the end of a recorded execution --------------------------------------------------------- */

/* Whatever is known about loops that only wait: this is what it is tried for. */
static bool can_step(const struct graphs *x, const struct port_action *a)
{
    const struct graph *g = x->g;
    if (a->kind == EVENT_JOIN)
        return graphs_has_ended(g, a->address);
    if (!graphs_is_blocked(g, a->thread))
        return true;
    const struct graph_event *ev = &g->events[g->threads[a->thread].last];
    return ev->rf != g->locations[ev->location].mo_last;
}

/* Each in turn, so that none that can go on is left out forever. */
static uint32_t next_in_turn(const struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    for (uint32_t i = 1; i <= GRAPH_THREADS_MAX; i++) {
        uint32_t t = (x->run.last_thread + i) % GRAPH_THREADS_MAX;
        if (waiting >> t & 1 && can_step(x, &next[t]))
            return t;
    }
    return PORT_STOP;
}

static bool step_with_newest(struct graphs *x, const struct port_action *a, struct port_answer *answer)
{
    answer->reads = answer->fails = false;
    bool added = true;
    if (graphs_is_blocked(x->g, a->thread))
        graphs_read_newest(x, a->thread, answer);
    else
        added = graphs_add_step(x, a, answer);
    vec_clear(&x->search.items);
    x->search.restart = false;
    return added;
}

uint32_t graphs_try_beyond(struct graphs *x, const struct port_action *next, uint64_t waiting,
                           struct port_answer *answer)
{
    waiting &= ~graphs_stopped(x);
    for (;;) {
        uint32_t t = x->script.beyond ? next_in_turn(x, next, waiting) : PORT_STOP;
        if (t == PORT_STOP)
            return graphs_stop(x, answer, PORT_STOP_STUCK);
        if (next[t].kind == EVENT_END)
            return graphs_stop(x, answer, PORT_STOP_FOLDED);
        x->script.beyond--;
        if (next[t].kind == EVENT_YIELD) {
            graphs_note_yield(x, t);
            return t;
        }
        if (!step_with_newest(x, &next[t], answer))
            return graphs_stop(x, answer, PORT_STOP_FOLDED);
        x->run.last_thread = t;
        if (!graphs_is_blocked(x->g, t)) {
            graphs_note_added(x, t);
            return t;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Beyond the end of an execution in which threads are held: it goes on with newest values only, on a copy of its graph, to see
 * whether they get out. docs/internals/explore/loops.md has the argument. */
#include "explore/graphs/graphs_inside.h"

enum { CONTINUED_STEPS = 400 };

/* Plain memory is what all threads have done so far. */
static uint64_t hash_of_plain(const struct graph *g)
{
    uint64_t h = 0;
    for (uint32_t t = 0; t < g->thread_count; t++)
        if (g->threads[t].last != GRAPH_NONE)
            h = hash_combine(h, g->events[g->threads[t].last].history);
    return h;
}

static bool any_reads_plainly(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    for (; waiting; waiting &= waiting - 1) {
        uint32_t first = graphs_round_of(x->g, &next[__builtin_ctzll(waiting)]);
        if (first != GRAPH_NONE && graphs_reads_plainly(x, first))
            return true;
    }
    return false;
}

/* Where all threads are, and what memory holds, but for what is plain. */
static uint64_t hash_of_all(const struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    const struct graph *g = x->g;
    uint64_t h = waiting;
    for (; waiting; waiting &= waiting - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(waiting), last = g->threads[t].last;
        h = hash_combine(h, next[t].live ? next[t].live : last == GRAPH_NONE ? t : g->events[last].history);
    }
    uint64_t values = 0; /* in any order: numbers of locations are those of this process */
    for (uint32_t i = 0; i < g->location_count; i++)
        if (g->locations[i].init != GRAPH_NONE)
            values +=
                hash_combine(g->locations[i].address, (uint64_t)g->events[g->locations[i].mo_last].value);
    return hash_combine(h, values);
}

/* Then it is not known what the threads that are left would do. */
static bool is_any_bounded(const struct port_action *next, uint64_t waiting)
{
    for (; waiting; waiting &= waiting - 1)
        if (next[__builtin_ctzll(waiting)].flags & PORT_BOUNDED)
            return true;
    return false;
}

bool graphs_start_continuing(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    if (x->run.held_thread == GRAPH_NONE || x->estimate.samples > 0 || x->g->has_parts ||
        is_any_bounded(next, waiting))
        return false;
    uint64_t h = hash_of_all(x, next, waiting);
    if (any_reads_plainly(x, next, waiting))
        h = hash_combine(h, hash_of_plain(x->g));
    uint32_t *tried = hash_map_at(&x->returns.tried, h);
    if (*tried != HASH_NO_NUMBER)
        return false;
    *tried = 1;
    x->returns.last_tried = h;
    x->returns.finished = x->g;
    x->g = graphs_new_graph(x);
    graph_copy(x->g, x->returns.finished);
    x->returns.steps_left = CONTINUED_STEPS;
    x->returns.alone = GRAPH_NONE;
    x->returns.by_chance = false;
    x->returns.prng = prng_start(h, 0);
    return true;
}

void graphs_stop_continuing(struct graphs *x)
{
    if (!x->returns.finished)
        return;
    vec_push(&x->search.pool, x->g);
    x->g = x->returns.finished;
    x->returns.finished = NULL;
}

static uint32_t newest_for(const struct graph *g, uint32_t read)
{
    return g->locations[g->events[read].location].mo_last;
}

/* Or it waits for another than the thread itself, which is over now. */
static bool can_read_again(const struct graph *g, uint32_t r)
{
    const struct graph_event *ev = &g->events[r];
    enum operation o = ev->label.operation;
    bool locks = o == OPERATION_LOCK || o == OPERATION_TRYLOCK;
    return ev->rf != newest_for(g, r) || (locks && ev->value == 0);
}

/* A read that waits is tried again when there is something newer, a loop that only waits as well. */
static bool can_continue(struct graphs *x, const struct port_action *a)
{
    const struct graph *g = x->g;
    if (a->flags & PORT_BOUNDED)
        return false;
    if (graphs_is_blocked(g, a->thread))
        return can_read_again(g, g->threads[a->thread].last);
    if (a->flags & PORT_SPINS)
        return !graphs_spins_for_ever(x, a);
    return graphs_readiness(x, a) >= GRAPHS_LAST;
}

static uint32_t pick_any(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    uint32_t threads[GRAPH_THREADS_MAX], count = 0;
    for (; waiting; waiting &= waiting - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(waiting);
        if (graphs_ends_process(&next[t]))
            return t;
        if (can_continue(x, &next[t]))
            threads[count++] = t;
    }
    if (count != 1 || threads[0] != x->returns.alone)
        vec_clear(&x->returns.been);
    x->returns.alone = count == 1 ? threads[0] : GRAPH_NONE;
    return count ? threads[prng_below(&x->returns.prng, count)] : PORT_STOP;
}

/* Only this thread can go on, since it was last where it is now, and memory held what it holds now. */
static bool has_been_here(struct graphs *x, const struct port_action *next, uint64_t waiting, uint32_t t)
{
    if (x->returns.alone != t || !next[t].live || x->returns.by_chance)
        return false;
    for (uint64_t rest = waiting & ~(UINT64_C(1) << t); rest; rest &= rest - 1)
        if (!graphs_waits_for_ever(x, &next[__builtin_ctzll(rest)]))
            return false;
    uint64_t h = hash_of_all(x, next, waiting);
    for (size_t k = 0; k < x->returns.been.len; k++)
        if (x->returns.been.data[k] == h)
            return true;
    vec_push(&x->returns.been, h);
    return false;
}

void graphs_read_newest(struct graphs *x, uint32_t thread, struct port_answer *answer)
{
    uint32_t r = x->g->threads[thread].last;
    graph_set_rf(x->g, r, newest_for(x->g, r));
    answer->reads = true;
    answer->found = x->g->events[r].value;
    answer->thread = (uint32_t)x->g->events[r].expected;
    if (x->g->events[r].flags & GRAPH_UPDATE)
        graphs_add_update(x, r);
}

static bool add_newest(struct graphs *x, const struct port_action *a, struct port_answer *answer)
{
    size_t items = x->search.items.len;
    bool added = true;
    answer->reads = answer->fails = false;
    if (graphs_is_blocked(x->g, a->thread))
        graphs_read_newest(x, a->thread, answer);
    else
        added = graphs_add_step(x, a, answer);
    x->search.items.len = items; /* there are no alternatives here */
    return added;
}

static uint32_t give_up_continuing(struct graphs *x, const struct port_action *next, uint64_t waiting,
                                   struct port_answer *answer)
{
    uint64_t left = graphs_left_waiting(x, next, waiting);
    enum port_stop why = left ? PORT_STOP_STUCK : PORT_STOP_FOLDED;
    x->counts.endless |= x->returns.steps_left == 0;
    for (; left; left &= left - 1)
        if (x->returns.steps_left == 0 || !graphs_waits_for_ever(x, &next[__builtin_ctzll(left)]))
            why = PORT_STOP_FOLDED;
    return graphs_stop(x, answer, why);
}

uint32_t graphs_continue(struct graphs *x, const struct port_action *next, uint64_t waiting,
                         struct port_answer *answer)
{
    while (x->returns.steps_left > 0) {
        uint32_t t = pick_any(x, next, waiting);
        if (t == PORT_STOP)
            break;
        if (has_been_here(x, next, waiting, t))
            return graphs_stop(x, answer, PORT_STOP_STUCK);
        x->returns.steps_left--;
        if (next[t].kind == EVENT_YIELD) {
            graphs_note_yield(x, t);
            return t;
        }
        if (!add_newest(x, &next[t], answer))
            return graphs_stop(x, answer, PORT_STOP_FOLDED);
        if (x->search.restart) {
            x->run.abandoned = true;
            return graphs_stop(x, answer, PORT_STOP_BLOCKED);
        }
        if (!graphs_is_blocked(x->g, t)) {
            graphs_note_added(x, t);
            return t;
        }
    }
    return give_up_continuing(x, next, waiting, answer);
}

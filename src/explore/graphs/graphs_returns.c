/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that come back to a live state in which they were (port_action.live): which of them are held there, and whether what is
 * left then can go round forever. docs/internals/explore/loops.md has the argument. */
#include "explore/graphs/graphs_inside.h"

enum { LOCKS_MOST = 16 };

/* --- holding ---------------------------------------------------------------------------------------- */

/* Locks that the round has taken and not given back. */
struct locks {
    uint32_t count, locations[LOCKS_MOST];
};

static bool take_lock(struct locks *l, uint32_t location)
{
    if (l->count == LOCKS_MOST)
        return false;
    l->locations[l->count++] = location;
    return true;
}

static bool give_lock(struct locks *l, uint32_t location)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->locations[i] == location) {
            l->locations[i] = l->locations[--l->count];
            return true;
        }
    return false;
}

/* Is it a read, or a lock or unlock under the rule for mutexes that fits in? */
static bool is_unseen_event(const struct graph *g, const struct graph_event *ev, struct locks *l)
{
    switch (ev->type) {
    case GRAPH_READ:
        if (ev->flags & GRAPH_LOCK_RULE)
            return take_lock(l, ev->location);
        return !(ev->flags & GRAPH_UPDATE);
    case GRAPH_WRITE:
        if (ev->flags & GRAPH_LOCK_RULE)
            return true; /* of the lock before it */
        return ev->label.operation == OPERATION_UNLOCK && g->locations[ev->location].mutex &&
               give_lock(l, ev->location);
    case GRAPH_FENCE:
    case GRAPH_BRANCH: return true;
    default: return false;
    }
}

/* A round that begins and ends at a lock, only reads and gives back what it locks: wherever others take the mutexes, they find
 * them as they would without it. */
static bool is_unseen_round(const struct graph *g, const struct port_action *a, uint32_t first)
{
    struct locks l = {0};
    if (a->operation != OPERATION_LOCK || !(g->events[first].flags & GRAPH_LOCK_RULE))
        return false;
    for (uint32_t e = first; e != GRAPH_NONE; e = g->events[e].po_after)
        if (!is_unseen_event(g, &g->events[e], &l))
            return false;
    return l.count == 0;
}

/* The last event at which the thread was in that state, from e on back. */
static uint32_t find_state(const struct graph *g, uint32_t e, uint64_t live)
{
    while (e != GRAPH_NONE && g->events[e].state != live)
        e = g->events[e].po_before;
    return e;
}

/* Where the thread's last round began; GRAPH_NONE: it was not there before. */
uint32_t graphs_round_of(const struct graph *g, const struct port_action *a)
{
    uint32_t last = g->threads[a->thread].last;
    if (graphs_is_blocked(g, a->thread))
        last = g->events[last].po_before;
    return a->live ? find_state(g, last, a->live) : GRAPH_NONE;
}

/* Between a lock that the thread took in the same state and its unlock w, and from there on, are only events that no other thread observes. */
static bool is_unseen_between(const struct graph *g, uint32_t lock, uint32_t last, uint32_t w)
{
    struct locks l = {0};
    for (uint32_t e = g->events[lock].po_after; e != last; e = g->events[e].po_after) {
        uint32_t next = g->events[e].po_after;
        if (next != w && !is_unseen_event(g, &g->events[next], &l))
            return false;
    }
    return l.count == 0;
}

/* A mutex that is also tried: each thread that finds it free takes it, so if the next one to take it is the thread itself, none has seen
 * the unlock; and who found it locked finds it locked without both. */
bool graphs_takes_back(const struct graphs *x, uint32_t last, uint64_t live, unsigned operation, uint32_t w)
{
    const struct graph *g = x->g;
    const struct graph_event *unlock = &g->events[w];
    if (!x->settings.returns || !live || x->returns.finished || last == GRAPH_NONE ||
        (operation != OPERATION_LOCK && operation != OPERATION_TRYLOCK) ||
        unlock->label.operation != OPERATION_UNLOCK || unlock->thread != g->events[last].thread ||
        unlock->type != GRAPH_WRITE || g->locations[unlock->location].mutex)
        return false;
    uint32_t lock = find_state(g, last, live);
    if (lock == GRAPH_NONE || !(g->events[lock].flags & GRAPH_UPDATE) || g->events[lock].type != GRAPH_READ ||
        g->events[lock].location != unlock->location || g->events[lock].index > unlock->index)
        return false;
    return is_unseen_between(g, lock, last, w);
}

/* Did it find its own unlock there, which counts as waiting? */
static bool has_taken_back(const struct graphs *x, uint32_t r)
{
    const struct graph_event *ev = &x->g->events[r];
    return graphs_takes_back(x, ev->po_before, ev->state, ev->label.operation, ev->rf);
}

static enum graphs_hold decide_hold(struct graphs *x, const struct port_action *a)
{
    const struct graph *g = x->g;
    uint32_t first = graphs_may_have_passed(x, a->thread, a->live) ? graphs_round_of(g, a) : GRAPH_NONE,
             count = 0;
    if (first == GRAPH_NONE)
        return GRAPHS_GOES_ON;
    if (graphs_is_blocked(g, a->thread) && g->has_parts)
        return GRAPHS_GOES_ON;
    if (graphs_is_blocked(g, a->thread))
        return has_taken_back(x, g->threads[a->thread].last) ? GRAPHS_HELD_UNSEEN : GRAPHS_GOES_ON;
    if (!g->has_parts && is_unseen_round(g, a, first))
        return GRAPHS_HELD_UNSEEN;
    for (uint32_t e = first; e != GRAPH_NONE && count < x->settings.returns; count++)
        e = find_state(g, g->events[e].po_before, a->live);
    return count < x->settings.returns ? GRAPHS_GOES_ON : GRAPHS_HELD_GUESSED;
}

enum graphs_hold graphs_hold_of(struct graphs *x, const struct port_action *a)
{
    if (!x->settings.returns || !a->live || x->returns.finished)
        return GRAPHS_GOES_ON;
    struct graphs_arrival *known = &x->run.arrivals[a->thread];
    uint32_t last = x->g->threads[a->thread].last;
    if (known->live != a->live || known->last != last)
        *known = (struct graphs_arrival){a->live, last, decide_hold(x, a)};
    return known->hold;
}

bool graphs_any_returned(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    for (; waiting; waiting &= waiting - 1)
        if (graphs_hold_of(x, &next[__builtin_ctzll(waiting)]) != GRAPHS_GOES_ON)
            return true;
    return false;
}

static bool is_certified(struct graphs *x, const struct port_action *next, uint64_t waiting, uint32_t thread,
                         enum graphs_hold hold)
{
    if (hold == GRAPHS_HELD_GUESSED)
        return graphs_find_removal(x, next, waiting, thread);
    graphs_note_removed_plain(x, graphs_round_of(x->g, &next[thread]));
    return true;
}

void graphs_certify(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    for (uint64_t rest = waiting; x->settings.returns && rest; rest &= rest - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(rest);
        enum graphs_hold hold = graphs_hold_of(x, &next[t]);
        if (!next[t].quiet && !graphs_is_blocked(x->g, t) && !x->g->has_parts) /* else the step is an event */
            graphs_note_last_accesses(x, t);
        if (hold == GRAPHS_GOES_ON)
            continue;
        if (x->g->has_parts) { /* no certificate is known for accesses of different sizes: a bound was met */
            x->run.held_thread = t;
            x->counts.uncertified = true;
            continue;
        }
        bool certified = is_certified(x, next, waiting, t, hold);
        graphs_note_held(x);
        if (!certified || x->run.held_thread == GRAPH_NONE)
            x->run.held_thread = t;
        x->counts.uncertified |= !certified;
    }
}

/* --- going round forever --------------------------------------------------------------------------- */

/* What memory holds while a round is gone through once more. */
struct rehearsal {
    const struct graphs *x;
    VEC(event_word) memory; /* by location */
    VEC(bool) changes;      /* the round changes what is there */
};

static void rehearse_from(struct rehearsal *h)
{
    const struct graph *g = h->x->g;
    vec_clear(&h->memory);
    for (uint32_t i = 0; i < g->location_count; i++)
        vec_push(&h->memory,
                 g->locations[i].init == GRAPH_NONE ? 0 : g->events[g->locations[i].mo_last].value);
}

/* May the event be another one the next time? */
static bool is_by_chance(const struct graph_event *ev)
{
    return ev->type == GRAPH_BRANCH || ev->flags & GRAPH_FAILS || operation_picks(ev->label.operation);
}

/* What an update writes that may find something else than it did. */
static event_word writes_now(const struct graph *g, const struct graph_event *ev, event_word found)
{
    const struct graph_event *read = ev->flags & GRAPH_UPDATE ? &g->events[ev->po_before] : ev;
    if (!(read->flags & GRAPH_UNUSED))
        return ev->value;
    return operation_apply(read->label.operation, read->size, read->operand, read->expected, found).value;
}

/* Does everything happen as it did, if the thread runs alone? */
static bool rehearse(struct rehearsal *h, uint32_t first)
{
    const struct graph *g = h->x->g;
    for (uint32_t e = first; e != GRAPH_NONE; e = g->events[e].po_after) {
        const struct graph_event *ev = &g->events[e];
        if (is_by_chance(ev))
            return false;
        event_word *memory =
            ev->type == GRAPH_READ || ev->type == GRAPH_WRITE ? &h->memory.data[ev->location] : NULL;
        if (ev->type == GRAPH_READ && !(ev->flags & GRAPH_UNUSED) && *memory != ev->value)
            return false;
        if (ev->type == GRAPH_WRITE) {
            event_word value = writes_now(g, ev, *memory);
            h->changes.data[ev->location] |= *memory != value;
            *memory = value;
        }
    }
    return true;
}

/* Twice: what the round leaves behind has to be what it begins with. */
static bool repeats_round(struct rehearsal *h, uint32_t first)
{
    rehearse_from(h);
    return rehearse(h, first) && rehearse(h, first);
}

/* A round locks and unlocks mutexes that none tries: others wait for a moment, and find what they would have found. */
static bool is_seen_changing(const struct rehearsal *h, uint32_t location)
{
    return h->changes.data[location] && !h->x->g->locations[location].mutex;
}

/* Does the thread look at something that rounds of others change? */
static bool looks_at_changes(const struct rehearsal *h, const struct port_action *a, uint32_t first,
                             bool waits)
{
    const struct graph *g = h->x->g;
    for (uint32_t e = first; e != GRAPH_NONE; e = g->events[e].po_after)
        if (g->events[e].type == GRAPH_READ && !(g->events[e].flags & GRAPH_UNUSED) &&
            is_seen_changing(h, g->events[e].location))
            return true;
    uint32_t site = hash_map_get(&h->x->sites.numbers, graphs_address(a));
    if (a->operation == OPERATION_NONE || a->unused || site >= h->changes.len)
        return false;
    return waits ? h->changes.data[site] : is_seen_changing(h, site);
}

/* Where what the thread does over and over again begins: a round, or the reads of a loop that only waits. */
static uint32_t repeated_part(const struct graph *g, const struct port_action *a, enum graphs_hold hold)
{
    uint32_t e = g->threads[a->thread].last, reads = a->flags & PORT_SPINS ? a->round : 0;
    if (hold != GRAPHS_GOES_ON)
        return graphs_round_of(g, a);
    if (e != GRAPH_NONE && g->events[e].flags & GRAPH_BLOCKED)
        return e;
    for (; reads && e != GRAPH_NONE; e = g->events[e].po_before)
        if (g->events[e].type == GRAPH_READ && --reads == 0)
            return e;
    return GRAPH_NONE;
}

/* What a round found with plain reads is not known to be there still. */
bool graphs_reads_plainly(const struct graphs *x, uint32_t first)
{
    const struct graph *g = x->g;
    for (uint32_t e = g->events[first].po_after; e != GRAPH_NONE; e = g->events[e].po_after)
        if (g->events[e].plain)
            return true;
    return x->run.plain[g->events[first].thread] != 0;
}

/* Is what another thread's round changes looked at by none but that thread? `h` has room for all locations. */
static bool is_left_alone(struct graphs *x, struct rehearsal *h, const struct port_action *next,
                          uint64_t waiting, uint32_t thread)
{
    for (size_t i = 0; i < h->changes.len; i++)
        h->changes.data[i] = false;
    uint32_t first = graphs_round_of(x->g, &next[thread]);
    if (graphs_reads_plainly(x, first) || !repeats_round(h, first))
        return false;
    for (uint64_t rest = waiting & ~(UINT64_C(1) << thread); rest; rest &= rest - 1) {
        const struct port_action *a = &next[__builtin_ctzll(rest)];
        enum graphs_hold hold = graphs_hold_of(x, a);
        if (looks_at_changes(h, a, repeated_part(x->g, a, hold), hold == GRAPHS_GOES_ON))
            return false;
    }
    return true;
}

bool graphs_goes_round_for_ever(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    struct rehearsal h = {.x = x};
    bool stuck = !x->g->has_parts;
    for (uint32_t i = 0; i < x->g->location_count; i++)
        vec_push(&h.changes, false);
    for (uint64_t rest = waiting; stuck && rest; rest &= rest - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(rest);
        if (graphs_hold_of(x, &next[t]) == GRAPHS_GOES_ON)
            stuck = graphs_waits_for_ever(x, &next[t]);
        else
            stuck = is_left_alone(x, &h, next, waiting, t);
    }
    vec_free(&h.memory);
    vec_free(&h.changes);
    return stuck;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait: locks, awaits, loops that only wait. */
#include "explore/graphs/graphs_inside.h"

#include "graph/twins.h"

enum { NOWHERE_MOST = 1 << 20 };

/* The last write of the location of a step, or what would be its first: made up in *first. */
static const struct graph_event *newest_write(struct graphs *x, const struct port_action *a,
                                              struct graph_event *first)
{
    uint32_t site = graphs_only_location(x, a);
    const struct graph *g = x->g;
    if (site < g->location_count && g->locations[site].init != GRAPH_NONE)
        return &g->events[g->locations[site].mo_last];
    *first = (struct graph_event){.value = x->base.peek(x->base.peek_context, a)};
    return first;
}

static bool is_mutex(struct graphs *x, const struct port_action *a)
{
    uint32_t site = graphs_site_at(x, graphs_address(a)); /* may move the sites */
    return !x->sites.list.data[site].no_mutex;
}

static bool leads_nowhere(struct graphs *x, const struct port_action *a, const struct graph_event *w)
{
    struct graph_event read = {.po_before = x->g->threads[a->thread].last,
                               .address = graphs_address(a),
                               .plain = x->run.plain[a->thread],
                               .thread = (uint8_t)a->thread,
                               .type = GRAPH_READ,
                               .label = {a->kind, a->operation, a->order, a->failure_order}};
    return hash_map_get(&x->loops.nowhere, graph_history_finding(x->g, &read, w)) != HASH_NO_NUMBER;
}

static bool takes_back_newest(struct graphs *x, const struct port_action *a)
{
    if (!x->settings.returns)
        return false;
    uint32_t site = graphs_site_at(x, graphs_address(a));
    const struct graph *g = x->g;
    return site < g->location_count && g->locations[site].init != GRAPH_NONE &&
           graphs_takes_back(x, g->threads[a->thread].last, a->live, a->operation,
                             g->locations[site].mo_last);
}

static enum graphs_readiness read_readiness(struct graphs *x, const struct port_action *a)
{
    if (x->settings.base_rule_only || graphs_only_location(x, a) == GRAPH_NONE)
        return GRAPHS_READY;
    struct graph_event first;
    if (operation_may_wait(a->operation)) {
        event_word found = newest_write(x, a, &first)->value;
        if (operation_apply(a->operation, a->size, a->operand, a->expected, found).possible)
            return takes_back_newest(x, a) ? GRAPHS_LATER : GRAPHS_READY;
        return a->operation == OPERATION_LOCK && is_mutex(x, a) ? GRAPHS_WAITS : GRAPHS_LATER;
    }
    if (a->operation == OPERATION_TRYLOCK && takes_back_newest(x, a))
        return GRAPHS_LATER;
    if (x->loops.nowhere.count == 0 || !operation_reads(a->operation))
        return GRAPHS_READY;
    return leads_nowhere(x, a, newest_write(x, a, &first)) ? GRAPHS_LATER : GRAPHS_READY;
}

bool graphs_has_ended(const struct graph *g, uint64_t thread)
{
    uint32_t last = thread < GRAPH_THREADS_MAX ? g->threads[thread].last : GRAPH_NONE;
    return last != GRAPH_NONE && g->events[last].type == GRAPH_END;
}

/* Is a thread that has come back held there? */
static bool is_held(struct graphs *x, const struct port_action *a)
{
    if (!(a->flags & PORT_FOLDS) || x->returns.finished)
        return false;
    if (!graphs_round_was_news(x->g, a))
        return true;
    x->counts.folded_news |= !x->settings.fold_unknowing;
    return !x->settings.fold_unknowing;
}

/* The last read up to here; of several parts, the last one. */
static uint32_t read_before(const struct graph *g, uint32_t e)
{
    while (e != GRAPH_NONE && g->events[e].type != GRAPH_READ)
        e = g->events[e].po_before;
    return e;
}

/* The read before that one. */
static uint32_t next_read_before(const struct graph *g, uint32_t r)
{
    return read_before(g, g->events[graph_first_part(g, r)].po_before);
}

static bool found_same(const struct graph_event *a, const struct graph_event *b)
{
    return !graph_is_part(a) && a->location == b->location && a->value == b->value &&
           a->label.operation == b->label.operation &&
           !((a->flags | b->flags) & (GRAPH_FAILS | GRAPH_UPDATE));
}

/* Has a thread that is held gone round twice, with the same values that matter each time, and does it find what it found? Then it
 * does so forever, even if its whole state never comes back, as that of a thread that counts its rounds. Twins wait for each
 * other, which is none of the program. */
static bool goes_round(const struct graphs *x, const struct port_action *a)
{
    const struct graph *g = x->g;
    if (!a->same || g->has_twins || a->flags & (PORT_LIMITED | PORT_ASSUMES | PORT_WEAK))
        return false;
    uint32_t last = read_before(g, g->threads[a->thread].last), first = last;
    for (uint32_t i = 0; i < a->round && first != GRAPH_NONE; i++)
        first = next_read_before(g, first);
    for (uint32_t i = 0; i < a->round; i++) {
        if (first == GRAPH_NONE || !found_same(&g->events[first], &g->events[last]))
            return false;
        first = next_read_before(g, first);
        last = next_read_before(g, last);
    }
    return graphs_spins_for_ever(x, a);
}

enum graphs_readiness graphs_readiness(struct graphs *x, const struct port_action *a)
{
    if (a->kind == EVENT_JOIN && !graphs_has_ended(x->g, a->address))
        return GRAPHS_WAITS;
    if (a->flags & (PORT_SPINS | PORT_BOUNDED) || graphs_is_blocked(x->g, a->thread))
        return GRAPHS_WAITS;
    if (a->patient && graphs_is_patient(x, a))
        return GRAPHS_READY;
    if (is_held(x, a)) /* a thread that would wait forever is let on, until this is known */
        return graphs_spins_for_ever(x, a) && !goes_round(x, a) ? GRAPHS_LATER : GRAPHS_WAITS;
    if (graphs_hold_of(x, a) != GRAPHS_GOES_ON)
        return GRAPHS_WAITS;
    if (graphs_ends_process(a)) /* after all that others can do: it may be wrong, or be read by this thread */
        return graph_has_open(x->g) ? GRAPHS_WAITS : GRAPHS_LAST;
    if (a->operation == OPERATION_NONE)
        return GRAPHS_READY;
    return read_readiness(x, a);
}

bool graphs_is_option(struct graphs *x, const struct graph_event *read, const struct graph_event *w)
{
    if (x->settings.base_rule_only)
        return true;
    enum operation o = read->label.operation;
    if (x->settings.returns &&
        graphs_takes_back(x, read->po_before, read->state, o, (uint32_t)(w - x->g->events)))
        return false;
    if (operation_may_wait(o))
        return operation_apply(o, read->size, read->operand, read->expected, w->value).possible &&
               graphs_is_own_source(x->g, read, (uint32_t)(w - x->g->events));
    if (!graphs_is_own_source(x->g, read, (uint32_t)(w - x->g->events)))
        return false;
    if (read->flags & GRAPH_WEAK) /* what leads nowhere may be only one of its ways */
        return true;
    return x->loops.nowhere.count == 0 ||
           hash_map_get(&x->loops.nowhere, graph_history_finding(x->g, read, w)) == HASH_NO_NUMBER;
}

/* --- loops that only wait --------------------------------------------------------------------------- */

/* Or what was written there since is the same: by itself, or, if its thread reads nothing plainly that it could learn more about, by
 * others. */
static bool would_find_same(const struct graph *g, uint32_t r, bool plain)
{
    const struct graph_event *ev = &g->events[r];
    uint32_t w = g->events[ev->rf].mo_after;
    while (w != GRAPH_NONE && graph_value_found(g, ev, g->events[w].value) == ev->value &&
           (!plain || g->events[w].thread == ev->thread))
        w = g->events[w].mo_after;
    return w == GRAPH_NONE;
}

/* Was the read given an old value when it was added? A newer one that came later is another matter: it may yet
 * revisit the read. What it would have been given first need not be the newest write: a load with the oldest source may find
 * the newest value without reading from that. */
static bool was_stale(const struct graph *g, uint32_t r)
{
    while (g->events[r].flags & GRAPH_PATIENT)
        r = g->events[r].po_before;
    uint32_t w = g->events[r].rf;
    if (w > r ||
        (g->has_depths && graph_twin_event(g, r) != GRAPH_NONE)) /* or it was first because of its twin */
        return false;
    uint32_t newest = g->locations[g->events[r].location].mo_last;
    while (newest > r)
        newest = g->events[newest].mo_before;
    return graphs_first_source(g, &g->events[r], newest) != w;
}

static bool writes_what_it_found(const struct graph_event *read)
{
    struct operation_effect effect =
        operation_apply(read->label.operation, read->size, read->operand, read->expected, read->value);
    return effect.writes && effect.value == read->value;
}

static void wait_instead(struct graphs *x, struct graph_event *ev)
{
    ev->flags = (uint16_t)((ev->flags & ~GRAPH_UPDATE) | GRAPH_BLOCKED);
    x->g->steps--;
}

void graphs_forget_useless_update(struct graphs *x, uint32_t r)
{
    struct graph_event *ev = &x->g->events[r];
    if (graph_is_part(ev))
        return;
    if (x->settings.returns && ev->flags & GRAPH_UPDATE &&
        graphs_takes_back(x, ev->po_before, ev->state, ev->label.operation, ev->rf)) {
        wait_instead(x, ev);
        return;
    }
    if ((x->loops.nowhere.count == 0 && !x->g->has_twins) || !(ev->flags & GRAPH_UPDATE) ||
        !writes_what_it_found(ev))
        return;
    bool nowhere = hash_map_get(&x->loops.nowhere, graph_history_finding(x->g, ev, &x->g->events[ev->rf])) !=
                   HASH_NO_NUMBER;
    if (!nowhere && !graphs_twin_waits(x->g, r))
        return;
    wait_instead(x, ev);
}

/* The write is taken back if nothing came after it; with it what it could have revisited. */
static void take_back_update(struct graphs *x, uint32_t r)
{
    uint32_t w = x->g->events[r].po_after;
    if (!(x->g->events[r].flags & GRAPH_UPDATE) || w + 1 != x->g->count)
        return;
    while (x->search.items.len > vec_last(&x->search.frames).items && vec_last(&x->search.items).event == w)
        x->search.items.len--;
    graph_cut(x->g, w);
    x->run.at[x->g->events[r].thread] = r;
    graphs_forget_useless_update(x, r);
}

void graphs_forget_nowhere(struct graphs *x)
{
    hash_map_clear(&x->loops.nowhere);
    vec_clear(&x->loops.found);
}

/* False: that is known. */
static bool note_nowhere(struct graphs *x, uint64_t history)
{
    if (x->loops.nowhere.count >= NOWHERE_MOST) /* forgetting costs executions begun twice, nothing else */
        hash_map_clear(&x->loops.nowhere);
    uint32_t *known = hash_map_at(&x->loops.nowhere, history);
    if (*known != HASH_NO_NUMBER)
        return false;
    if (x->loops.found.len < NOWHERE_MOST)
        vec_push(&x->loops.found, history);
    *known = 1;
    return true;
}

/* The thread only comes back to the read with what it found. True: that is news, and the execution begins once more with it. */
static bool leads_back(struct graphs *x, uint32_t r)
{
    const struct graph_event *ev = &x->g->events[r];
    if (graphs_has_oldest(x->g, ev)) {
        graphs_note_waiting_load(x, ev);
        return true;
    }
    if (!note_nowhere(x, graph_history_finding(x->g, ev, &x->g->events[ev->rf])) || x->estimate.samples)
        return false;
    graphs_take_again(x);
    return true;
}

/* Where the last read found an old value, whatever comes later leaves the round as it is: no write revisits the read, or
 * anything before it. Executions that differ from this one in later steps only are folded, too. */
bool graphs_note_fold(struct graphs *x, const struct port_action *a)
{
    uint32_t r = read_before(x->g, x->g->threads[a->thread].last);
    bool plain = !a->only_atomic || x->run.plain[a->thread] != 0;
    if (plain || r == GRAPH_NONE || x->settings.fold_unknowing || x->settings.base_rule_only)
        return true;
    const struct graph_event *ev = &x->g->events[r];
    if (ev->flags & (GRAPH_FAILS | GRAPH_UPDATE) || r != x->g->threads[a->thread].last || graph_is_part(ev) ||
        !is_held(x, a))
        return true;
    return !leads_back(x, r) && !was_stale(x->g, r);
}

bool graphs_note_spin(struct graphs *x, const struct port_action *a)
{
    uint32_t r = read_before(x->g, x->g->threads[a->thread].last);
    if (a->round != 1 || r == GRAPH_NONE || x->settings.base_rule_only)
        return true;
    const struct graph_event *ev = &x->g->events[r];
    if (ev->flags & GRAPH_FAILS ||
        graph_is_part(ev)) /* it might have succeeded; only whole reads are learnt about */
        return true;
    uint32_t end = ev->flags & GRAPH_UPDATE ? ev->po_after : r;
    bool knows_more = end != x->g->threads[a->thread].last || x->run.plain[a->thread] != 0;
    if (knows_more || (end != r && !writes_what_it_found(ev)))
        return true;
    if (leads_back(x, r))
        return false;
    take_back_update(x, r);
    return !was_stale(x->g, r);
}

/* The round that ends with the thread's last event. */
struct waiting_round {
    bool plain;   /* it, or the thread right before it, reads plainly */
    bool updates; /* what it finds */
};

static struct waiting_round look_at_round(const struct graphs *x, const struct port_action *a)
{
    const struct graph *g = x->g;
    struct waiting_round round = {.plain = x->run.plain[a->thread] != 0};
    uint32_t e = g->threads[a->thread].last;
    for (uint32_t reads = 0; e != GRAPH_NONE && reads < a->round; e = g->events[e].po_before) {
        round.plain |= g->events[e].plain != 0;
        round.updates |= g->events[e].type == GRAPH_WRITE;
        reads += g->events[e].type == GRAPH_READ && !(g->events[e].flags & GRAPH_PART);
    }
    return round;
}

/* A round that only reads is there with newer writes as well: among executions that are stuck it counts once. */
bool graphs_spins_for_ever(const struct graphs *x, const struct port_action *a)
{
    const struct graph *g = x->g;
    struct waiting_round round = look_at_round(x, a);
    uint32_t r = read_before(g, g->threads[a->thread].last);
    for (uint32_t i = 0; i < a->round && r != GRAPH_NONE; i++) {
        if (round.updates && !graph_is_part(&g->events[r]) ? !would_find_same(g, r, round.plain)
                                                           : !graphs_found_newest(g, r))
            return false;
        r = next_read_before(g, r);
    }
    return true;
}

/* --- the end ---------------------------------------------------------------------------------------- */

bool graphs_waits_for_ever(const struct graphs *x, const struct port_action *a)
{
    const struct graph *g = x->g;
    if (a->flags & (PORT_LIMITED | PORT_ASSUMES | PORT_BOUNDED))
        return false;
    if (a->flags & PORT_SPINS)
        return graphs_spins_for_ever(x, a);
    return !graphs_is_blocked(g, a->thread) || graphs_reads_newest(g, g->threads[a->thread].last);
}

enum port_stop graphs_why_stopped(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    bool held = false;
    for (uint64_t rest = waiting; rest; rest &= rest - 1) {
        const struct port_action *a = &next[__builtin_ctzll(rest)];
        held |= is_held(x, a);
        if (is_held(x, a) && !goes_round(x, a))
            return PORT_STOP_FOLDED;
    }
    if (held && graphs_any_returned(x, next, waiting))
        return PORT_STOP_FOLDED;
    if (graphs_any_returned(x, next, waiting))
        return graphs_goes_round_for_ever(x, next, waiting) ? PORT_STOP_STUCK : PORT_STOP_FOLDED;
    for (; waiting; waiting &= waiting - 1)
        if (!graphs_waits_for_ever(x, &next[__builtin_ctzll(waiting)]))
            return PORT_STOP_BLOCKED;
    return PORT_STOP_STUCK;
}

void graphs_note_waiting_locks(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    for (; waiting; waiting &= waiting - 1) {
        const struct port_action *a = &next[__builtin_ctzll(waiting)];
        if (a->operation == OPERATION_LOCK && !(a->flags & (PORT_SPINS | PORT_BOUNDED)) &&
            !graphs_is_blocked(x->g, a->thread) && graphs_hold_of(x, a) == GRAPHS_GOES_ON &&
            !(x->g->has_twins && graphs_waits_for_twin(x, next, a->thread)))
            vec_push(&x->search.waiting_locks, *a);
    }
}

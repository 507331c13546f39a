/* SPDX-License-Identifier: Apache-2.0 */
/* One execution in the order in which it is best shown. Any order will do in which events follow their causes. The best
 * has the fewest steps that look odd (reads of something else than the newest write, writes that are not the last of their
 * location), then the fewest switches between threads.
 *
 * What has happened is, for each thread, how many of its turns; how odd the next one looks depends on nothing else. So
 * the best ways to all such states are found layer by layer, a layer being the states after the same number of turns. Of large
 * layers only the cheapest states are kept: any state can be continued to the end, as causes have no cycle. */
#include "explore/graphs/graphs_inside.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

enum {
    STATES_MOST = 1 << 20, /* of all layers together */
    WIDTH_LEAST = 32,
    WIDTH_MOST = 1 << 13,
    TURNS_MOST = 1 << 15,
    ODD = 1 << 16, /* cost; a switch costs 1 */
};

/* A step and what its thread did before the next one: choices, plain writes. A range of what happened. */
struct turn {
    uint32_t from, to;
};

struct line {
    VEC(struct turn) turns;
};

struct order {
    const struct graphs *x;
    VEC(struct graphs_happened) happened; /* all of it, or what the end depends on */
    struct line lines[GRAPH_THREADS_MAX];
    uint32_t turn_count;
    uint32_t *turn_of;     /* by stamp: which turn of its thread; UINT32_MAX: did not happen */
    uint32_t *mark_before; /* by stamp, of marks: the one that came before, or GRAPH_NONE */
    /* Nothing needs to look odd: there is an order of all in which nothing does */
    bool in_sequence;
};

struct state {
    uint16_t done[GRAPH_THREADS_MAX]; /* turns */
    uint32_t cost;
    uint32_t parent; /* in the layer before */
    uint8_t thread;  /* whose turn was the last */
};

struct layers {
    VEC(struct state) now, next;
    VEC(uint64_t) way;  /* of all states of all layers: parent << 8 | thread */
    VEC(size_t) starts; /* of the layers in it */
    struct hash_map numbers;
};

/* --- turns ------------------------------------------------------------------------------------------ */

static bool begins_turn(const struct order *o, uint32_t i)
{
    const struct graphs_happened *h = &o->happened.data[i];
    if (i == 0 || h->event == GRAPH_NONE || h[-1].thread != h->thread)
        return true;
    const struct graph_event *ev = &o->x->g->events[h->event];
    return ev->type != GRAPH_BRANCH && ev->label.kind != EVENT_PLAIN_WRITE && !graphs_is_deferred(ev);
}

static void set_turn(struct order *o, uint32_t e, uint32_t turn)
{
    uint32_t last = graph_last_of_step(o->x->g, e);
    for (; e != last; e = o->x->g->events[e].po_after)
        o->turn_of[e] = turn;
    o->turn_of[last] = turn;
}

static bool is_of_operation(const struct graph_event *ev)
{
    return ev->label.kind == EVENT_OP_CALL || ev->label.kind == EVENT_OP_RETURN;
}

static void find_turns(struct order *o)
{
    uint32_t last_mark = GRAPH_NONE;
    for (uint32_t i = 0; i < o->happened.len; i++) {
        struct line *l = &o->lines[o->happened.data[i].thread];
        uint32_t e = o->happened.data[i].event;
        if (begins_turn(o, i)) {
            vec_push(&l->turns, ((struct turn){i, i}));
            o->turn_count++;
        }
        vec_last(&l->turns).to = i + 1;
        if (e == GRAPH_NONE)
            continue;
        set_turn(o, e, (uint32_t)l->turns.len - 1);
        o->mark_before[e] = last_mark;
        if (o->x->g->events[e].type == GRAPH_MARK && !is_of_operation(&o->x->g->events[e]))
            last_mark = e;
    }
}

/* Everything, or only the last event and its causes: an error without the rest is easier to understand. That nothing can go on is
 * what all steps together have led to. */
static void take_happened(struct order *o, bool causes_only)
{
    const struct graphs *x = o->x;
    if (x->run.happened.len == 0)
        return;
    struct graphs_happened last = vec_last(&x->run.happened);
    bool all = !causes_only || last.event == GRAPH_NONE || x->run.stopped;
    const int16_t *causes = all ? NULL : graph_clock(x->g, x->g->threads[last.thread].last, CLOCK_PORF);
    for (uint32_t i = 0; i < x->run.happened.len; i++) {
        struct graphs_happened h = x->run.happened.data[i];
        bool is_yield = h.event == GRAPH_NONE; /* of which nothing depends but the schedule */
        if (all || h.thread == last.thread || is_yield || graph_includes(causes, &x->g->events[h.event]))
            vec_push(&o->happened, h);
    }
}

static void order_init(struct order *o, const struct graphs *x, bool causes_only)
{
    *o = (struct order){.x = x};
    take_happened(o, causes_only);
    o->turn_of = NEW_ZEROED(uint32_t, x->g->count + 1);
    o->mark_before = NEW_ZEROED(uint32_t, x->g->count + 1);
    memset(o->turn_of, 0xff, x->g->count * sizeof *o->turn_of);
    find_turns(o);
}

static void order_free(struct order *o)
{
    for (uint32_t t = 0; t < GRAPH_THREADS_MAX; t++)
        vec_free(&o->lines[t].turns);
    vec_free(&o->happened);
    free(o->turn_of);
    free(o->mark_before);
}

/* --- what may come next ----------------------------------------------------------------------------- */

static bool is_done(const struct order *o, const struct state *s, uint32_t e)
{
    const struct graph_event *ev = &o->x->g->events[e];
    return ev->type == GRAPH_INIT || (e != GRAPH_NONE && o->turn_of[e] < s->done[ev->thread]);
}

static bool happens_at_all(const struct order *o, uint32_t e)
{
    return o->x->g->events[e].type == GRAPH_INIT || o->turn_of[e] != UINT32_MAX;
}

static bool are_readers_done(const struct order *o, const struct state *s, uint32_t w, uint32_t except)
{
    const struct graph_event *events = o->x->g->events;
    for (uint32_t r = events[w].reader; r != GRAPH_NONE; r = events[r].reader)
        if (r != except && happens_at_all(o, r) && !is_done(o, s, r))
            return false;
    return true;
}

/* The write before w in mo and its readers. By induction all earlier ones are done then, too. */
static bool is_overwritten_done(const struct order *o, const struct state *s, uint32_t w)
{
    const struct graph_event *events = o->x->g->events;
    uint32_t own = events[w].flags & GRAPH_UPDATE
                       ? (uint32_t)(graph_update_read(o->x->g, &events[w]) - events)
                       : GRAPH_NONE;
    uint32_t before = events[w].mo_before;
    for (; !happens_at_all(o, before); before = events[before].mo_before)
        if (!are_readers_done(o, s, before, own))
            return false;
    return is_done(o, s, before) && are_readers_done(o, s, before, own);
}

/* What the step at e, of one or several events, reads and overwrites. */
static bool are_accesses_done(const struct order *o, const struct state *s, uint32_t e)
{
    const struct graph *g = o->x->g;
    for (uint32_t last = graph_last_of_step(g, e);; e = g->events[e].po_after) {
        const struct graph_event *ev = &g->events[e];
        if (ev->type == GRAPH_READ && !is_done(o, s, ev->rf))
            return false;
        if (ev->type == GRAPH_WRITE && o->in_sequence && !is_overwritten_done(o, s, e))
            return false;
        if (e == last)
            return true;
    }
}

/* Has everything returned that the client waits for before this call? */
static bool may_be_called(const struct order *o, const struct state *s, const struct graph_event *call)
{
    const struct graph *g = o->x->g;
    if (call->label.kind != EVENT_OP_CALL || !o->x->client)
        return true;
    for (uint32_t e = 0; e < g->count; e++) {
        const struct graph_event *ev = &g->events[e];
        bool awaited = ev->type == GRAPH_MARK && ev->label.kind == EVENT_OP_RETURN &&
                       o->x->client[(uint32_t)ev->value] >> (uint32_t)call->value & 1;
        if (awaited && happens_at_all(o, e) && !is_done(o, s, e))
            return false;
    }
    return true;
}

static bool are_causes_done(const struct order *o, const struct state *s, uint32_t e)
{
    const struct graph *g = o->x->g;
    const struct graph_event *ev = &g->events[e];
    switch (ev->type) {
    case GRAPH_READ:
    case GRAPH_WRITE: return are_accesses_done(o, s, e);
    case GRAPH_JOIN: return s->done[ev->address] == o->lines[ev->address].turns.len;
    case GRAPH_BEGIN: return ev->thread == 0 || is_done(o, s, g->threads[ev->thread].create);
    case GRAPH_MARK: /* files depend on their order, and histories on what the client sees to */
        if (is_of_operation(ev))
            return may_be_called(o, s, ev);
        return o->mark_before[e] == GRAPH_NONE || is_done(o, s, o->mark_before[e]);
    default: return true;
    }
}

/* The turn in which an error happens stays the last: it may be the second half of a race. */
static bool is_final(const struct order *o, struct turn turn)
{
    return !o->x->run.stopped && turn.to == o->happened.len;
}

static bool may_go(const struct order *o, const struct state *s, uint32_t layer, uint32_t thread)
{
    const struct line *l = &o->lines[thread];
    if (s->done[thread] == l->turns.len)
        return false;
    struct turn turn = l->turns.data[s->done[thread]];
    if (is_final(o, turn) && layer + 1 < o->turn_count)
        return false;
    for (uint32_t i = turn.from; i < turn.to; i++) {
        uint32_t e = o->happened.data[i].event;
        if (e != GRAPH_NONE && !are_causes_done(o, s, e))
            return false;
    }
    return true;
}

/* --- costs ------------------------------------------------------------------------------------------ */

/* The newest write so far, after w. GRAPH_NONE: none. */
static uint32_t find_newer(const struct order *o, const struct state *s, uint32_t w)
{
    const struct graph_event *events = o->x->g->events;
    uint32_t newest = GRAPH_NONE;
    while ((w = events[w].mo_after) != GRAPH_NONE)
        if (is_done(o, s, w))
            newest = w;
    return newest;
}

/* A read of something else than the newest write is what it seems to be under tso, if that write may still be in its
 * thread's store buffer. Updates, fences and stores with a fence empty those. */
static bool is_emptied(const struct order *o, const struct state *s, uint32_t w)
{
    const struct graph_event *events = o->x->g->events;
    for (; w != GRAPH_NONE && is_done(o, s, w); w = events[w].po_after)
        if (events[w].flags & GRAPH_UPDATE || events[w].type == GRAPH_FENCE ||
            (events[w].type == GRAPH_WRITE && events[w].order == ORDER_SEQ_CST))
            return true;
    return false;
}

static uint32_t cost_of_access(const struct order *o, const struct state *s, uint32_t e)
{
    const struct graph_event *ev = &o->x->g->events[e];
    if (ev->type != GRAPH_READ && ev->type != GRAPH_WRITE)
        return 0;
    uint32_t newer = find_newer(o, s, ev->type == GRAPH_READ ? ev->rf : e);
    if (newer == GRAPH_NONE)
        return 0;
    bool emptied = ev->type == GRAPH_READ && o->x->model->kind == MODEL_BUFFERED && is_emptied(o, s, newer);
    return emptied ? 2 * ODD : ODD;
}

static uint32_t cost_of_event(const struct order *o, const struct state *s, uint32_t e)
{
    const struct graph *g = o->x->g;
    uint32_t cost = 0, last = graph_last_of_step(g, e);
    if (o->in_sequence)
        return 0;
    for (; e != last; e = g->events[e].po_after)
        cost += cost_of_access(o, s, e);
    return cost + cost_of_access(o, s, last);
}

static uint32_t cost_of_turn(const struct order *o, const struct state *s, uint32_t thread)
{
    struct turn turn = o->lines[thread].turns.data[s->done[thread]];
    uint32_t cost = s->thread != thread;
    for (uint32_t i = turn.from; i < turn.to; i++)
        if (o->happened.data[i].event != GRAPH_NONE)
            cost += cost_of_event(o, s, o->happened.data[i].event);
    return cost;
}

/* --- the search ------------------------------------------------------------------------------------- */

/* Two states with the same number are taken for the same: should they differ, an alternative is lost and no more. */
static void add_state(struct layers *l, const struct state *s, uint32_t threads)
{
    uint64_t key = hash_combine(hash_bytes(s->done, threads * sizeof *s->done), s->thread);
    uint32_t *number = hash_map_at(&l->numbers, key);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)l->next.len;
        vec_push(&l->next, *s);
    } else if (s->cost < l->next.data[*number].cost) {
        l->next.data[*number] = *s;
    }
}

static void keep_cheapest(struct layers *l, uint32_t width)
{
    uint32_t count = (uint32_t)l->next.len;
    OWNED uint32_t *items = NEW_ARRAY(uint32_t, count);
    OWNED uint64_t *keys = NEW_ARRAY(uint64_t, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = i;
        keys[i] = l->next.data[i].cost;
    }
    sort_by_key(items, count, keys);
    vec_clear(&l->now);
    for (uint32_t i = 0; i < width; i++)
        vec_push(&l->now, l->next.data[items[i]]);
    vec_clear(&l->next);
    for (uint32_t i = 0; i < width; i++)
        vec_push(&l->next, l->now.data[i]);
}

/* The states of `next` become the present ones; how they came about is kept. */
static void close_layer(struct layers *l, uint32_t width)
{
    if (l->next.len > width)
        keep_cheapest(l, width);
    vec_push(&l->starts, l->way.len);
    vec_clear(&l->now);
    for (size_t i = 0; i < l->next.len; i++) {
        vec_push(&l->now, l->next.data[i]);
        vec_push(&l->way, (uint64_t)l->next.data[i].parent << 8 | l->next.data[i].thread);
    }
    vec_clear(&l->next);
    hash_map_clear(&l->numbers);
}

static bool add_layer(const struct order *o, struct layers *l, uint32_t layer, uint32_t width)
{
    uint32_t threads = o->x->g->thread_count;
    for (size_t i = 0; i < l->now.len; i++) {
        for (uint32_t t = 0; t < threads; t++) {
            struct state s = l->now.data[i];
            if (!may_go(o, &s, layer, t))
                continue;
            s.cost += cost_of_turn(o, &s, t);
            s.done[t]++;
            s.parent = (uint32_t)i;
            s.thread = (uint8_t)t;
            add_state(l, &s, threads);
        }
    }
    close_layer(l, width);
    return l->now.len > 0;
}

static uint32_t find_cheapest(const struct layers *l)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < l->now.len; i++)
        if (l->now.data[i].cost < l->now.data[best].cost)
            best = i;
    return best;
}

/* Whose turn it is, turn by turn. False: this cannot be done in sequence. */
static bool search(const struct order *o, uint32_t width, uint8_t *threads)
{
    struct layers l = {0};
    vec_push(&l.next, ((struct state){.cost = 0}));
    close_layer(&l, width);
    bool ok = true;
    for (uint32_t layer = 0; layer < o->turn_count && ok; layer++)
        ok = add_layer(o, &l, layer, width);
    uint32_t at = ok ? find_cheapest(&l) : 0;
    for (uint32_t layer = o->turn_count; ok && layer > 0; layer--) {
        uint64_t way = l.way.data[l.starts.data[layer] + at];
        threads[layer - 1] = (uint8_t)way;
        at = (uint32_t)(way >> 8);
    }
    vec_free(&l.now);
    vec_free(&l.next);
    vec_free(&l.way);
    vec_free(&l.starts);
    hash_map_free(&l.numbers);
    return ok;
}

static void write_order(const struct order *o, const uint8_t *threads, struct graphs_happened *out)
{
    uint32_t done[GRAPH_THREADS_MAX] = {0};
    for (uint32_t k = 0; k < o->turn_count; k++) {
        struct turn turn = o->lines[threads[k]].turns.data[done[threads[k]]++];
        for (uint32_t i = turn.from; i < turn.to; i++)
            *out++ = o->happened.data[i];
    }
}

void explore_graphs_set_client(struct explorer *e, const uint64_t *precedes)
{
    ((struct graphs *)e)->client = precedes;
}

uint32_t graphs_display_order(const struct graphs *x, bool causes_only, struct graphs_happened *out)
{
    struct order o;
    order_init(&o, x, causes_only);
    bool ok = o.turn_count > 0 && o.turn_count <= TURNS_MOST;
    uint32_t width = ok ? STATES_MOST / o.turn_count : 0;
    width = width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
    OWNED uint8_t *threads = NEW_ZEROED(uint8_t, o.turn_count + 1);
    o.in_sequence = true;
    if (ok && !search(&o, 1, threads)) /* a single state shows whether there is one */
        o.in_sequence = false;
    ok = ok && search(&o, width, threads);
    if (ok)
        write_order(&o, threads, out);
    uint32_t count = ok ? (uint32_t)o.happened.len : 0;
    order_free(&o);
    return count;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The certificate of a thread that is held because it came back too often: rounds among its causes, of one thread or of
 * several, without which the execution would be the same to everybody else (docs/internals/explore/loops.md). */
#include "explore/graphs/graphs_places.h"
#include "explore/graphs/graphs_inside.h"

enum { CHECKS_MOST = 3000, REASONS_MOST = 2 };

/* Events [from, to) of a thread, by index; empty: none. At both ends its live state is the same. */
struct segment {
    uint32_t from, to;
};

struct removal {
    struct graphs *x;
    const struct graph *g;
    const int16_t *causes, *hb; /* of the held thread's last event */
    const struct port_action *next;
    uint64_t waiting;
    uint32_t held;
    bool alone;  /* one segment only */
    bool unread; /* what locations hold that no thread reads does not matter */
    uint32_t checks_left;
    uint32_t first[GRAPH_THREADS_MAX]; /* of a thread's events in x->returns.events */
    struct segment segments[GRAPH_THREADS_MAX];
};

static uint32_t event_at(const struct removal *r, uint32_t thread, uint32_t index)
{
    return r->x->returns.events.data[r->first[thread] + index];
}

static uint32_t count_events(const struct graph *g, uint32_t thread)
{
    uint32_t last = g->threads[thread].last;
    return last == GRAPH_NONE ? 0 : g->events[last].index + 1u;
}

/* So many of the thread's events may be removed: others might not be there in longer executions. */
static uint32_t count_causes(const struct removal *r, uint32_t thread)
{
    return (uint32_t)r->causes[thread];
}

static void list_events(struct removal *r)
{
    vec_clear(&r->x->returns.events);
    for (uint32_t t = 0; t < r->g->thread_count; t++) {
        r->first[t] = (uint32_t)r->x->returns.events.len;
        for (uint32_t e = r->g->threads[t].first; e != GRAPH_NONE; e = r->g->events[e].po_after)
            vec_push(&r->x->returns.events, e);
    }
}

static bool is_inside(const struct removal *r, uint32_t e)
{
    const struct graph_event *ev = &r->g->events[e];
    if (ev->type == GRAPH_INIT)
        return false;
    const struct segment *s = &r->segments[ev->thread];
    return s->from <= ev->index && ev->index < s->to;
}

/* The live state in which the thread arrives at its event with that index; 0: not known. */
static uint64_t state_at(const struct removal *r, uint32_t thread, uint32_t index)
{
    if (index < count_events(r->g, thread))
        return r->g->events[event_at(r, thread, index)].state;
    return r->waiting >> thread & 1 ? r->next[thread].live : 0;
}

static bool may_be_removed(const struct graph_event *ev)
{
    return ev->type == GRAPH_READ || ev->type == GRAPH_WRITE || ev->type == GRAPH_FENCE ||
           ev->type == GRAPH_BRANCH;
}

/* What the thread counted in the segment is not needed, or there is no certificate. It goes with the rounds of the held one. */
static void note_counted(struct graphs *x, uint32_t thread, uint32_t held, struct segment s)
{
    for (size_t k = 0; k < x->run.counted.len; k++) {
        const struct graphs_counted *c = &x->run.counted.data[k];
        if (c->thread != thread || c->before <= s.from || s.to < c->before)
            continue;
        places_note_uses(x->counts.held_places, c->address, c->size);
        places_note(x->counts.held_places, held, PLACE_PLAIN_AT(c->address));
        places_note(x->counts.held_places, held, PLACE_EFFECTS);
    }
}

/* --- is it removable? ------------------------------------------------------------------------------- */

/* Events of which one has to be removed as well; none: nothing helps. */
struct reasons {
    uint32_t count, events[REASONS_MOST];
};

static bool fail_unless(struct reasons *why, uint32_t first, uint32_t second)
{
    why->count = 0;
    if (first != GRAPH_NONE)
        why->events[why->count++] = first;
    if (second != GRAPH_NONE)
        why->events[why->count++] = second;
    return false;
}

static bool has_fence_after(const struct graph *g, uint32_t e)
{
    for (e = g->events[e].po_after; e != GRAPH_NONE; e = g->events[e].po_after)
        if (g->events[e].type == GRAPH_FENCE)
            return true;
    return false;
}

/* Does it matter to the read, or to readers of its update, what it gets from the writer? */
static bool takes_message(const struct graph *g, uint32_t read)
{
    const struct graph_event *ev = &g->events[read];
    return graph_is_acquire(ev->order) || ev->flags & GRAPH_UPDATE || has_fence_after(g, read);
}

static bool is_unread(const struct removal *r, uint32_t m)
{
    const struct graph_event *ev = &r->g->events[m];
    return r->unread && !places_have_uses(r->x->counts.known_places, ev->address, ev->size);
}

/* Reads of m from outside would find what `before` wrote. */
static bool is_same_to_readers(const struct removal *r, uint32_t m, uint32_t before, struct reasons *why)
{
    const struct graph *g = r->g;
    if (g->events[m].value == g->events[before].value)
        return true;
    for (uint32_t e = g->events[m].reader; e != GRAPH_NONE; e = g->events[e].reader)
        if (!is_inside(r, e))
            return fail_unless(why, e, before);
    return true;
}

/* And would learn no more from it. */
static bool can_move_readers(const struct removal *r, uint32_t m, uint32_t before, struct reasons *why)
{
    const struct graph *g = r->g;
    bool known = graph_includes(graph_clock(g, m, CLOCK_PORF), &g->events[before]);
    for (uint32_t e = g->events[m].reader; e != GRAPH_NONE; e = g->events[e].reader)
        if (!is_inside(r, e) && (!known || (takes_message(g, e) && !graph_is_message_within(g, before, m))))
            return fail_unless(why, e, before);
    return true;
}

/* Does the location hold the same to all others, without the writes from m on that are removed and next to each other in mo? */
static bool keeps_values(const struct removal *r, uint32_t m, struct reasons *why)
{
    const struct graph *g = r->g;
    uint32_t before = g->events[m].mo_before, last = m;
    for (; m != GRAPH_NONE && is_inside(r, m); m = g->events[m].mo_after) {
        if (!is_same_to_readers(r, m, before, why))
            return false;
        last = m;
    }
    return g->events[last].value == g->events[before].value || fail_unless(why, before, m);
}

static bool keeps_order(const struct removal *r, uint32_t m, struct reasons *why)
{
    const struct graph *g = r->g;
    uint32_t before = g->events[m].mo_before;
    if (r->x->model->kind == MODEL_INTERLEAVED)
        return true;
    if (!graph_includes(graph_clock(g, m, CLOCK_PORF), &g->events[before]))
        return fail_unless(why, before, GRAPH_NONE);
    for (; m != GRAPH_NONE && is_inside(r, m); m = g->events[m].mo_after)
        if (!can_move_readers(r, m, before, why))
            return false;
    return true;
}

static bool can_remove_writes(const struct removal *r, uint32_t m, struct reasons *why)
{
    return keeps_order(r, m, why) && (is_unread(r, m) || keeps_values(r, m, why));
}

static bool begins_run(const struct removal *r, uint32_t e)
{
    const struct graph_event *ev = &r->g->events[e];
    return ev->type == GRAPH_WRITE && !is_inside(r, ev->mo_before);
}

/* The last of the removed writes from w on that are next to each other in mo, or one after it, is known to the held thread's last
 * event: coherence lets none that happens after that event read or write among them. */
static bool is_overwritten(const struct removal *r, uint32_t w)
{
    const struct graph_event *events = r->g->events;
    while (events[w].mo_after != GRAPH_NONE && is_inside(r, events[w].mo_after))
        w = events[w].mo_after;
    while (w != GRAPH_NONE && !graph_knows(r->g, r->hb, w, &events[w]))
        w = events[w].mo_after;
    return w != GRAPH_NONE;
}

/* Does what another thread accessed plainly after the event, before its next one, happen before the held thread's last event? */
static bool is_ordered(const struct removal *r, const struct graph_event *ev)
{
    uint32_t after = ev->po_after;
    if (after == GRAPH_NONE)
        return !r->x->run.plain[ev->thread];
    return !r->g->events[after].plain || graph_includes(r->hb, &r->g->events[after]);
}

/* Under rc11: who happens after the held thread's last event can see nothing of it, though it need not happen before that. */
static bool is_over(const struct removal *r, uint32_t e)
{
    const struct graph_event *ev = &r->g->events[e];
    if (r->x->model->kind != MODEL_LANGUAGE || ev->thread == r->held)
        return true;
    return is_ordered(r, ev) && (ev->type != GRAPH_WRITE || is_overwritten(r, e));
}

static bool is_removable(struct removal *r, struct reasons *why)
{
    for (uint32_t t = 0; t < r->g->thread_count; t++)
        for (uint32_t i = r->segments[t].from; i < r->segments[t].to; i++) {
            uint32_t e = event_at(r, t, i);
            if (!is_over(r, e))
                return fail_unless(why, GRAPH_NONE, GRAPH_NONE);
            if (begins_run(r, e) && !can_remove_writes(r, e, why))
                return false;
        }
    return true;
}

/* --- looking for one -------------------------------------------------------------------------------- */

static bool close_removal(struct removal *r);

/* Tries the segments of the thread that begin at `from` and end at `to` or later. */
static bool try_from(struct removal *r, uint32_t thread, uint32_t from, uint32_t to)
{
    uint32_t most = count_causes(r, thread);
    uint64_t state = state_at(r, thread, from);
    for (uint32_t j = from + 1; state && j <= most && r->checks_left > 0; j++) {
        if (!may_be_removed(&r->g->events[event_at(r, thread, j - 1)]))
            return false;
        if (j < to || state_at(r, thread, j) != state)
            continue;
        r->segments[thread] = (struct segment){from, j};
        if (close_removal(r))
            return true;
    }
    return false;
}

/* With a segment of its thread that contains the event, and what is removed of the thread so far. */
static bool try_with(struct removal *r, uint32_t e)
{
    const struct graph_event *ev = &r->g->events[e];
    if (ev->type == GRAPH_INIT || !graph_includes(r->causes, ev))
        return false;
    struct segment s = r->segments[ev->thread];
    bool empty = s.from == s.to;
    uint32_t from = empty || ev->index < s.from ? ev->index : s.from;
    uint32_t to = empty || ev->index >= s.to ? ev->index + 1u : s.to;
    for (uint32_t i = from + 1; i-- > 0;)
        if (try_from(r, ev->thread, i, to))
            return true;
    r->segments[ev->thread] = s;
    return false;
}

static bool close_removal(struct removal *r)
{
    struct reasons why = {0};
    if (r->checks_left == 0)
        return false;
    r->checks_left--;
    if (is_removable(r, &why))
        return true;
    for (uint32_t i = 0; !r->alone && i < why.count; i++)
        if (try_with(r, why.events[i]))
            return true;
    return false;
}

/* From the end of the thread on: that is where it came back. */
static bool try_thread(struct removal *r, uint32_t thread)
{
    for (uint32_t i = count_causes(r, thread); i-- > 0;)
        if (try_from(r, thread, i, i + 1))
            return true;
    r->segments[thread] = (struct segment){0};
    return false;
}

/* --- which threads could observe it ------------------------------------------------------------------ */

static bool has_operations(const struct graph *g)
{
    for (uint32_t e = 0; e < g->count; e++)
        if (g->events[e].type == GRAPH_MARK)
            return true;
    return false;
}

/* What its thread read plainly before the event, or before it arrived where it is held, is part of the segment that ends there. */
static void note_plain(struct graphs *x, uint32_t thread, uint32_t held, uint32_t e)
{
    if (e == GRAPH_NONE ? x->run.plain[thread] : x->g->events[e].plain)
        places_note(x->counts.held_places, held, PLACE_PLAIN_MEMORY);
}

/* Is it among writes of M, next to each other in mo, that are updates and wrote what they found? Nothing comes between an update and
 * what it found, and a thread that reads one of them, whatever it knows, finds the value that is there without them. */
static bool changes_nothing(const struct removal *r, uint32_t w)
{
    const struct graph_event *events = r->g->events;
    while (is_inside(r, events[w].mo_before))
        w = events[w].mo_before;
    uint64_t value = events[events[w].mo_before].value;
    while (w != GRAPH_NONE && is_inside(r, w) && events[w].flags & GRAPH_UPDATE && events[w].value == value)
        w = events[w].mo_after;
    return w == GRAPH_NONE || !is_inside(r, w);
}

/* An update directly follows in mo what it reads: at a location that no thread reads it does not matter which threads know of one. */
static void note_removed_write(const struct removal *r, uint32_t w)
{
    const struct graph_event *ev = &r->g->events[w];
    bool unread = is_unread(r, w);
    if (unread)
        places_note_uses(r->x->counts.held_places, ev->address, ev->size);
    if (!(unread && ev->flags & GRAPH_UPDATE) && !changes_nothing(r, w))
        places_note(r->x->counts.held_places, r->held, ev->address);
}

static void note_removed(struct removal *r)
{
    for (uint32_t t = 0; t < r->g->thread_count; t++) {
        note_counted(r->x, t, r->held, r->segments[t]);
        for (uint32_t i = r->segments[t].from; i < r->segments[t].to; i++) {
            uint32_t e = event_at(r, t, i);
            places_note(r->x->counts.held_places, t, PLACE_STATES);
            if (r->g->events[e].type == GRAPH_WRITE)
                note_removed_write(r, e);
            note_plain(r->x, t, r->held, r->g->events[e].po_after);
        }
    }
}

void graphs_note_held(struct graphs *x)
{
    if (has_operations(x->g))
        places_note(x->counts.held_places, 0, PLACE_ORDER_OF_OPERATIONS);
}

void graphs_note_removed_plain(struct graphs *x, uint32_t from)
{
    uint32_t thread = x->g->events[from].thread;
    places_note(x->counts.held_places, thread, PLACE_STATES);
    note_counted(x, thread, thread, (struct segment){x->g->events[from].index, UINT32_MAX});
    for (uint32_t e = from; e != GRAPH_NONE; e = x->g->events[e].po_after)
        note_plain(x, thread, thread, x->g->events[e].po_after);
}

bool graphs_find_removal(struct graphs *x, const struct port_action *next, uint64_t waiting, uint32_t thread)
{
    uint32_t last = x->g->threads[thread].last;
    if (last == GRAPH_NONE)
        return false;
    struct removal r = {.x = x,
                        .g = x->g,
                        .causes = graph_clock(x->g, last, CLOCK_PORF),
                        .hb = graph_clock(x->g, last, CLOCK_HB),
                        .next = next,
                        .waiting = waiting,
                        .held = thread};
    list_events(&r);
    graphs_note_readers(x, x->g);
    bool found = false;
    for (uint32_t way = 0; !found && way < 4; way++) {
        r.alone = way % 2 == 0;
        r.unread = way >= 2;
        r.checks_left = CHECKS_MOST;
        found = try_thread(&r, thread);
        for (uint32_t t = 0; !found && t < x->g->thread_count; t++)
            found = t != thread && try_thread(&r, t);
    }
    if (found)
        note_removed(&r);
    return found;
}

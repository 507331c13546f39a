/* SPDX-License-Identifier: Apache-2.0 */
/* Is a graph that was read from bytes one? Every index leads to where it should, and lists end: whatever the bytes are, the explorer
 * stays within its memory and comes to an end. */
#include "explore/graphs/graphs_record.h"

#include "graph/graph.h"

struct checked {
    const struct graph *g;
    uint32_t thread_last[GRAPH_THREADS_MAX];
    VEC(uint32_t) location_last;
    VEC(uint8_t) is_placed; /* of each event: in mo */
    uint32_t reads;         /* that read from something */
    uint32_t revisited;     /* the read that is to be completed, or GRAPH_NONE */
    uint32_t kept;          /* no alternative cuts this event, or one before it, off */
};

static bool is_event(const struct graph *g, uint32_t e)
{
    return e < g->count;
}

static bool is_event_or_none(const struct graph *g, uint32_t e)
{
    return e == GRAPH_NONE || e < g->count;
}

/* Is it a write at the location? */
static bool writes_at(const struct graph *g, uint32_t e, uint32_t location)
{
    return is_event(g, e) && graph_is_write(&g->events[e]) && g->events[e].location == location;
}

/* --- one event -------------------------------------------------------------------------------------- */

/* Steps that are no accesses leave what they do not need as it was. */
static bool is_label_sound(const struct graph_event *ev)
{
    if (ev->type > GRAPH_FENCE)
        return true;
    return ev->label.kind < EVENT_KIND_COUNT && ev->label.operation < OPERATION_COUNT &&
           ev->label.order <= ORDER_PLAIN && ev->label.failure_order <= ORDER_PLAIN &&
           ev->order <= ORDER_PLAIN && ev->size <= sizeof ev->value;
}

/* The events of a thread follow one another. */
static bool follows_thread(struct checked *c, uint32_t e)
{
    const struct graph_event *ev = &c->g->events[e];
    if (ev->type == GRAPH_INIT)
        return ev->thread == GRAPH_INIT_THREAD && ev->po_before == GRAPH_NONE && ev->po_after == GRAPH_NONE;
    if (ev->thread >= c->g->thread_count)
        return false;
    uint32_t before = c->thread_last[ev->thread];
    c->thread_last[ev->thread] = e;
    if (before == GRAPH_NONE)
        return ev->po_before == GRAPH_NONE && ev->index == 0 && c->g->threads[ev->thread].first == e;
    return ev->po_before == before && c->g->events[before].po_after == e &&
           ev->index == c->g->events[before].index + 1;
}

static bool follows_location(struct checked *c, uint32_t e)
{
    const struct graph_event *ev = &c->g->events[e];
    bool accesses = graph_is_write(ev) || ev->type == GRAPH_READ;
    if (!accesses)
        return ev->location == GRAPH_NONE && ev->location_before == GRAPH_NONE;
    if (ev->location >= c->g->location_count)
        return false;
    const struct graph_location *l = &c->g->locations[ev->location];
    uint32_t before = c->location_last.data[ev->location];
    c->location_last.data[ev->location] = e;
    bool fits = l->size == 0 || l->size > sizeof ev->value || ev->address - l->address < sizeof ev->value ||
                l->address - ev->address < sizeof ev->value;
    return ev->location_before == before && (ev->type == GRAPH_INIT) == (before == GRAPH_NONE) &&
           (ev->type != GRAPH_INIT || l->init == e) && fits;
}

static const struct graph_event *event_at(const struct graph *g, uint32_t e)
{
    return e < g->count ? &g->events[e] : NULL;
}

/* Parts of an access are a row, at granules. */
static bool is_row_sound(const struct graph *g, const struct graph_event *ev)
{
    const struct graph_event *before = event_at(g, ev->po_before), *after = event_at(g, ev->po_after);
    if (!graph_is_part(ev))
        return true;
    if ((ev->type != GRAPH_WRITE && ev->type != GRAPH_READ) || !g->locations[ev->location].mixed)
        return false;
    if (ev->flags & GRAPH_PART && !(before && before->flags & GRAPH_MORE && before->type == ev->type))
        return false;
    return !(ev->flags & GRAPH_MORE) || !after || after->flags & GRAPH_PART;
}

/* The write of an update follows what it has read at once, but for a read that a revisit has just changed. */
static bool is_update_sound(const struct checked *c, uint32_t e)
{
    const struct graph *g = c->g;
    const struct graph_event *ev = &g->events[e];
    if (!(ev->flags & GRAPH_UPDATE) || (ev->type != GRAPH_READ && ev->type != GRAPH_WRITE))
        return true;
    const struct graph_event *other = event_at(g, ev->type == GRAPH_READ ? ev->po_after : ev->po_before);
    if (graph_is_part(ev))
        return ev->type == GRAPH_READ || other;
    if (ev->type == GRAPH_READ && !other)
        return e == g->count - 1 || e == c->revisited;
    return other && other->type == (ev->type == GRAPH_READ ? GRAPH_WRITE : GRAPH_READ) &&
           other->flags & GRAPH_UPDATE && !graph_is_part(other) && other->location == ev->location &&
           (ev->type == GRAPH_READ || other->rf != GRAPH_NONE);
}

/* The thread joined has run before; one that begins was created before, or by nothing. */
static bool is_thread_step_sound(const struct checked *c, uint32_t e)
{
    const struct graph *g = c->g;
    const struct graph_event *ev = &g->events[e];
    if (ev->type == GRAPH_END)
        return ev->po_after == GRAPH_NONE;
    if (ev->type == GRAPH_BEGIN)
        return ev->po_before == GRAPH_NONE &&
               (g->threads[ev->thread].create == GRAPH_NONE || g->threads[ev->thread].create < e);
    if (ev->type != GRAPH_CREATE && ev->type != GRAPH_JOIN)
        return true;
    if (ev->address >= g->thread_count)
        return false;
    uint32_t last = c->thread_last[ev->address];
    return ev->type == GRAPH_CREATE ? last == GRAPH_NONE && g->threads[ev->address].create == e
                                    : last != GRAPH_NONE;
}

/* A read that blocks is the last event of its thread. */
static bool are_flags_sound(const struct graph_event *ev)
{
    if (ev->type != GRAPH_READ)
        return !(ev->flags & (GRAPH_BLOCKED | GRAPH_WEAK | GRAPH_FAILS));
    return !(ev->flags & GRAPH_BLOCKED) || ev->po_after == GRAPH_NONE;
}

static bool is_event_sound(struct checked *c, uint32_t e)
{
    const struct graph *g = c->g;
    const struct graph_event *ev = &g->events[e];
    if (ev->type > GRAPH_BRANCH || !is_event_or_none(g, ev->po_after) || !is_label_sound(ev) ||
        !follows_thread(c, e) || !follows_location(c, e) || !is_row_sound(g, ev) || !is_update_sound(c, e) ||
        !is_thread_step_sound(c, e) || !are_flags_sound(ev))
        return false;
    if (!is_event_or_none(g, ev->reader) || !is_event_or_none(g, ev->mo_before) ||
        !is_event_or_none(g, ev->mo_after))
        return false;
    if (ev->type != GRAPH_READ)
        return ev->rf == GRAPH_NONE;
    if (ev->rf == GRAPH_NONE)
        return ev->flags & GRAPH_PART && ev->po_after == GRAPH_NONE;
    c->reads++;
    return (ev->rf < e || ev->rf <= c->kept) && writes_at(g, ev->rf, ev->location);
}

/* --- lists ------------------------------------------------------------------------------------------ */

static bool are_readers_sound(const struct checked *c)
{
    const struct graph *g = c->g;
    uint32_t found = 0;
    for (uint32_t w = 0; w < g->count; w++) {
        if (!graph_is_write(&g->events[w]))
            continue;
        for (uint32_t r = g->events[w].reader; r != GRAPH_NONE; r = g->events[r].reader)
            if (!is_event(g, r) || g->events[r].type != GRAPH_READ || g->events[r].rf != w ||
                ++found > c->reads)
                return false;
    }
    return found == c->reads;
}

static bool is_order_sound(struct checked *c, uint32_t location)
{
    const struct graph *g = c->g;
    const struct graph_location *l = &g->locations[location];
    if (l->init == GRAPH_NONE)
        return c->location_last.data[location] == GRAPH_NONE;
    if (!is_event(g, l->init) || g->events[l->init].type != GRAPH_INIT ||
        g->events[l->init].location != location || l->last != c->location_last.data[location])
        return false;
    uint32_t before = GRAPH_NONE;
    for (uint32_t w = l->init; w != GRAPH_NONE; before = w, w = g->events[w].mo_after) {
        if (!writes_at(g, w, location) || g->events[w].mo_before != before || c->is_placed.data[w])
            return false;
        c->is_placed.data[w] = 1;
    }
    return l->mo_last == before;
}

static bool are_lists_sound(struct checked *c)
{
    const struct graph *g = c->g;
    for (uint32_t t = 0; t < g->thread_count; t++) {
        const struct graph_thread *thread = &g->threads[t];
        bool is_made = thread->create == GRAPH_NONE ||
                       (is_event(g, thread->create) && g->events[thread->create].type == GRAPH_CREATE &&
                        g->events[thread->create].address == t);
        bool is_empty = c->thread_last[t] == GRAPH_NONE;
        if (!is_made || thread->last != c->thread_last[t] || (is_empty && thread->first != GRAPH_NONE))
            return false;
    }
    for (uint32_t k = 0; k < g->location_count; k++)
        if (!is_order_sound(c, k))
            return false;
    for (uint32_t e = 0; e < g->count; e++)
        if (!c->is_placed.data[e] && g->events[e].mo_after != GRAPH_NONE)
            return false;
    return are_readers_sound(c);
}

/* --- the whole -------------------------------------------------------------------------------------- */

bool graphs_record_is_sound(const struct graph *g, uint32_t revisited, uint32_t kept)
{
    struct checked c = {.g = g, .revisited = revisited, .kept = kept};
    bool fine = true;
    for (uint32_t t = 0; t < GRAPH_THREADS_MAX; t++)
        c.thread_last[t] = GRAPH_NONE;
    for (uint32_t k = 0; k < g->location_count; k++)
        vec_push(&c.location_last, GRAPH_NONE);
    for (uint32_t e = 0; e < g->count; e++)
        vec_push(&c.is_placed, 0);
    for (uint32_t e = 0; fine && e < g->count; e++)
        fine = is_event_sound(&c, e);
    fine = fine && are_lists_sound(&c);
    fine = fine && g->steps <= g->count && g->sc_accesses <= g->count && g->sc_fences <= g->count &&
           g->weak_accesses <= g->count;
    vec_free(&c.location_last);
    vec_free(&c.is_placed);
    return fine;
}

bool graphs_record_has_item(const struct graph *g, const struct graphs_item *item)
{
    if (!is_event(g, item->event))
        return false;
    const struct graph_event *ev = &g->events[item->event];
    const struct graph_event *other = item->other <= item->event ? &g->events[item->other] : NULL;
    bool same = other && other->location == ev->location;
    switch (item->kind) {
    case ITEM_RF:
        return ev->type == GRAPH_READ &&
               (other ? same && graph_is_write(other) : item->other == GRAPH_NONE && ev->flags & GRAPH_PART);
    case ITEM_CO:
        return ev->type == GRAPH_WRITE && other && graph_is_write(other) && (same || ev->flags & GRAPH_PART);
    case ITEM_REVISIT: return ev->type == GRAPH_WRITE && other && other->type == GRAPH_READ;
    case ITEM_BRANCH: return ev->type == GRAPH_BRANCH;
    case ITEM_PICK:
    case ITEM_FAIL: return other && other->type == GRAPH_READ && other->rf != GRAPH_NONE;
    default: return false;
    }
}

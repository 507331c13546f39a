/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/cycles.h"

#include <string.h>

bool graph_has_happened(const struct graph *g, uint32_t e)
{
    const struct graph_event *ev = &g->events[graph_last_part(g, e)];
    return ev->type != GRAPH_INIT && !(ev->flags & (GRAPH_BLOCKED | GRAPH_MORE));
}

/* One event for each access: its last part. */
static bool counts(const struct graph *g, uint32_t e)
{
    return graph_last_part(g, e) == e && graph_has_happened(g, e);
}

struct visitor {
    const struct graph *g;
    graph_visit *visit;
    void *context;
    uint32_t event;
};

static void visit(const struct visitor *v, uint32_t cause, enum graph_relation relation)
{
    if (cause != GRAPH_NONE && graph_has_happened(v->g, cause))
        v->visit(v->context, graph_last_part(v->g, cause), relation, v->event);
}

static void visit_before_write(const struct visitor *v, const struct graph_event *w)
{
    if (w->mo_before == GRAPH_NONE)
        return;
    uint32_t own =
        w->flags & GRAPH_UPDATE ? (uint32_t)(graph_update_read(v->g, w) - v->g->events) : w->po_before;
    visit(v, w->mo_before, RELATION_OVERWRITTEN_BY);
    for (uint32_t r = v->g->events[w->mo_before].reader; r != GRAPH_NONE; r = v->g->events[r].reader)
        if (r != own)
            visit(v, r, RELATION_TOO_EARLY_FOR);
}

static void visit_before_access(const struct visitor *v, uint32_t e)
{
    for (; e != GRAPH_NONE; e = graph_part_before(v->g, e)) {
        const struct graph_event *ev = &v->g->events[e];
        if (ev->type == GRAPH_READ)
            visit(v, ev->rf, RELATION_READ_BY);
        else
            visit_before_write(v, ev);
    }
}

void graph_each_before(const struct graph *g, uint32_t e, graph_visit *visit_one, void *context)
{
    const struct graph_event *ev = &g->events[e];
    const struct visitor v = {g, visit_one, context, e};
    if (!counts(g, e))
        return;
    visit(&v, g->events[graph_first_part(g, e)].po_before, RELATION_THREAD);
    switch (ev->type) {
    case GRAPH_READ:
    case GRAPH_WRITE: visit_before_access(&v, e); break;
    case GRAPH_BEGIN: visit(&v, g->threads[ev->thread].create, RELATION_THREAD); break;
    case GRAPH_JOIN: visit(&v, g->threads[ev->address].last, RELATION_THREAD); break;
    default: break;
    }
}

/* ------------------------------------------------------------------ is there a cycle? */

struct sorting {
    uint32_t *later; /* of each event: how many directly after it are not yet taken away */
    uint32_t *stack, depth;
};

static void count_later(void *context, uint32_t cause, enum graph_relation relation, uint32_t event)
{
    struct sorting *s = context;
    (void)relation;
    (void)event;
    s->later[cause]++;
}

static void take_away(void *context, uint32_t cause, enum graph_relation relation, uint32_t event)
{
    struct sorting *s = context;
    (void)relation;
    (void)event;
    if (--s->later[cause] == 0)
        s->stack[s->depth++] = cause;
}

/* From the end: takes events away that nothing left is after. Those that stay are on cycles, or before one. */
static uint32_t count_left(const struct graph *g, struct sorting *s)
{
    uint32_t left = 0;
    memset(s->later, 0, g->count * sizeof *s->later);
    for (uint32_t e = 0; e < g->count; e++) {
        left += counts(g, e);
        graph_each_before(g, e, count_later, s);
    }
    for (uint32_t e = 0; e < g->count; e++)
        if (counts(g, e) && s->later[e] == 0)
            s->stack[s->depth++] = e;
    while (s->depth > 0) {
        graph_each_before(g, s->stack[--s->depth], take_away, s);
        left--;
    }
    return left;
}

/* ------------------------------------------------------------------ a short one */

struct walk {
    uint32_t *queue, last; /* events, the first reached first */
    uint32_t *next;        /* on the way back to where the walk began; GRAPH_NONE: not reached */
    uint32_t *relation;    /* to that */
    uint32_t start;
    bool back;
};

static void reach(void *context, uint32_t cause, enum graph_relation relation, uint32_t event)
{
    struct walk *w = context;
    w->back |= cause == w->start;
    if (w->next[cause] != GRAPH_NONE)
        return;
    w->next[cause] = event;
    w->relation[cause] = relation;
    w->queue[w->last++] = cause;
}

/* The length of the shortest cycle through the event; 0: there is none. */
static uint32_t walk_back(const struct graph *g, uint32_t e, struct walk *w)
{
    memset(w->next, 0xff, g->count * sizeof *w->next);
    w->start = e;
    w->back = false;
    w->queue[0] = e;
    w->last = 1;
    for (uint32_t k = 0; k < w->last && !w->back; k++)
        graph_each_before(g, w->queue[k], reach, w);
    uint32_t length = w->back;
    for (uint32_t at = w->next[e]; w->back && at != e; at = w->next[at])
        length++;
    return length;
}

/* Events that only stand between two others of their thread are left out. */
static void note_cycle(const struct walk *w, struct graph_cycle *out)
{
    uint32_t at = w->start;
    bool by_thread = false;
    out->count = 0;
    do {
        enum graph_relation relation = (enum graph_relation)w->relation[at];
        if (!by_thread || relation != RELATION_THREAD)
            out->steps[out->count++] = (struct graph_cycle_step){at, relation};
        by_thread = relation == RELATION_THREAD;
        at = w->next[at];
    } while (at != w->start && out->count < GRAPH_CYCLE_MAX);
    if (at != w->start)
        out->count = 0;
}

static void find_cycle(const struct graph *g, const uint32_t *later, struct walk *w, struct graph_cycle *out)
{
    uint32_t best = UINT32_MAX;
    out->count = 0;
    for (uint32_t e = 0; e < g->count; e++) {
        /* Begun elsewhere than at a note, which need not be shown. */
        bool may_begin = later[e] && !graph_is_note(&g->events[e]);
        uint32_t length = may_begin ? walk_back(g, e, w) : 0;
        if (length && length < best) {
            best = length;
            note_cycle(w, out);
        }
    }
}

bool graph_is_sequential(const struct graph *g, struct graph_cycle *cycle)
{
    uint32_t *room[5];
    for (uint32_t k = 0; k < 5; k++)
        room[k] = g->scratch + (size_t)k * g->capacity;
    struct sorting s = {.later = room[0], .stack = room[1]};
    if (count_left(g, &s) == 0)
        return true;
    struct walk w = {.queue = room[2], .next = room[3], .relation = room[4]};
    if (cycle)
        find_cycle(g, room[0], &w, cycle);
    return false;
}

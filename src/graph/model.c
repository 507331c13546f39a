/* SPDX-License-Identifier: Apache-2.0 */
/* What memory models share: coherence by clocks, and the search for a cycle through a new event. */
#include "graph/model.h"

#include <string.h>

static const struct memory_model *const models[] = {&model_rc11, &model_sc, &model_tso};
enum { MODELS = sizeof models / sizeof *models };

const struct memory_model *model_with_sequences(const struct memory_model *m, int position)
{
    return m->kind == MODEL_LANGUAGE && position > 0 ? &model_rc11_c11 : m;
}

const struct memory_model *model_find(const char *name)
{
    for (size_t i = 0; i < MODELS; i++)
        if (strcmp(models[i]->name, name) == 0)
            return models[i];
    return strcmp(model_rc11_c11.name, name) == 0 ? &model_rc11_c11 : NULL;
}

const struct memory_model *model_at(int position)
{
    return models[position < 0 ? 0 : position % MODELS];
}

int model_position(const struct memory_model *m)
{
    int position = MODELS - 1;
    while (position > 0 && models[position] != m)
        position--;
    return position;
}

bool model_is(const char *name, enum model_kind kind)
{
    const struct memory_model *m = model_find(name);
    return m && m->kind == kind;
}

static bool model_is_atomic(const struct graph *g, uint32_t w)
{
    const struct graph_event *ev = &g->events[w];
    if (ev->flags & GRAPH_UPDATE && graph_update_source(g, ev) != ev->mo_before)
        return false;
    if (ev->mo_after == GRAPH_NONE)
        return true;
    const struct graph_event *after = &g->events[ev->mo_after];
    return !(after->flags & GRAPH_UPDATE) || graph_update_source(g, after) == w;
}

static bool part_is_coherent(const struct graph *g, uint32_t e, const int16_t *hb)
{
    const struct graph_event *ev = &g->events[e];
    uint32_t w = ev->type == GRAPH_READ ? ev->rf : e;
    if (w == e && !model_is_atomic(g, e))
        return false;
    for (w = g->events[w].mo_after; w != GRAPH_NONE; w = g->events[w].mo_after)
        if (graph_knows(g, hb, w, ev))
            return false;
    return true;
}

/* Parts are coherent one by one, each at its own granule, with what happens before all of them. */
bool model_is_coherent(const struct graph *g, uint32_t e)
{
    if (!graph_is_part(&g->events[e]))
        return part_is_coherent(g, e, graph_clock(g, e, CLOCK_HB));
    uint32_t last = graph_last_part(g, e);
    const int16_t *hb = graph_clock(g, last, CLOCK_HB);
    for (e = last; e != GRAPH_NONE; e = graph_part_before(g, e)) {
        bool open = g->events[e].type == GRAPH_READ && g->events[e].rf == GRAPH_NONE;
        if (!open && !part_is_coherent(g, e, hb))
            return false;
    }
    return true;
}

/* --- cycles ----------------------------------------------------------------------------------------- */

struct search {
    const struct graph *g;
    uint32_t *stack, depth;
    uint32_t *seen; /* one for each event */
    bool buffered;
};

static void search_push(struct search *s, uint32_t e)
{
    if (e != GRAPH_NONE && s->g->has_parts)
        e = graph_last_part(s->g, e);
    if (e == GRAPH_NONE || s->seen[e])
        return;
    s->seen[e] = 1;
    s->stack[s->depth++] = e;
}

bool model_is_waited_for(const struct graph_event *ev)
{
    switch (ev->type) {
    case GRAPH_WRITE: return ev->flags & GRAPH_LOCKED || ev->order == ORDER_SEQ_CST;
    case GRAPH_FENCE: return ev->order == ORDER_SEQ_CST;
    case GRAPH_READ:
    case GRAPH_BEGIN:
    case GRAPH_JOIN: return true;
    default: return false;
    }
}

bool model_waits_for_buffer(const struct graph_event *ev)
{
    switch (ev->type) {
    case GRAPH_READ: return ev->flags & GRAPH_LOCKED;
    case GRAPH_FENCE: return ev->order == ORDER_SEQ_CST;
    case GRAPH_WRITE:
    case GRAPH_CREATE:
    case GRAPH_END: return true;
    default: return false;
    }
}

/* The first event from here on that waits for the buffer. */
static void search_push_drain(struct search *s, uint32_t e)
{
    while (e != GRAPH_NONE && !model_waits_for_buffer(&s->g->events[e]))
        e = s->g->events[e].po_after;
    search_push(s, e);
}

static void search_push_buffered_po(struct search *s, const struct graph_event *ev)
{
    uint32_t next = ev->po_after;
    if (!model_is_waited_for(ev)) {
        search_push_drain(s, next);
        return;
    }
    for (; next != GRAPH_NONE && !model_is_waited_for(&s->g->events[next]);
         next = s->g->events[next].po_after)
        search_push(s, next);
    search_push(s, next);
}

static void search_push_po(struct search *s, const struct graph_event *ev)
{
    if (s->buffered)
        search_push_buffered_po(s, ev);
    else
        search_push(s, ev->po_after);
}

static void search_push_readers(struct search *s, const struct graph_event *ev)
{
    for (uint32_t r = ev->reader; r != GRAPH_NONE; r = s->g->events[r].reader)
        if (!s->buffered || s->g->events[r].thread != ev->thread)
            search_push(s, r);
}

/* END and JOIN: the join of a thread is found by looking at the last events' causes only when the search gets to an END,
 * which is rare. */
static void search_push_joins(struct search *s, const struct graph_event *end)
{
    for (uint32_t e = s->g->count; e-- > 0;)
        if (s->g->events[e].type == GRAPH_JOIN && s->g->events[e].address == end->thread)
            search_push(s, e);
}

/* What overwrites the event; of an access with parts, any of them. */
static void search_push_overwriters(struct search *s, uint32_t e)
{
    for (; e != GRAPH_NONE; e = graph_part_before(s->g, e)) {
        const struct graph_event *ev = &s->g->events[e];
        uint32_t w = ev->type == GRAPH_READ ? ev->rf : e;
        if (w != GRAPH_NONE)
            search_push(s, s->g->events[w].mo_after);
    }
}

static void search_push_all_readers(struct search *s, uint32_t e)
{
    for (; e != GRAPH_NONE; e = graph_part_before(s->g, e))
        search_push_readers(s, &s->g->events[e]);
}

static void search_expand(struct search *s, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    if (ev->type != GRAPH_INIT)
        search_push_po(s, ev);
    switch (ev->type) {
    case GRAPH_INIT:
    case GRAPH_WRITE:
        search_push_all_readers(s, e);
        search_push_overwriters(s, e);
        break;
    case GRAPH_READ: search_push_overwriters(s, e); break;
    case GRAPH_CREATE: search_push(s, s->g->threads[ev->address].first); break;
    case GRAPH_END: search_push_joins(s, ev); break;
    default: break;
    }
}

/* For cycles with fr through an event, which is a whole: of its parts the last. */
static struct search search_begin(const struct graph *g, uint32_t whole, bool buffered)
{
    struct search s = {g, g->scratch, 0, g->scratch + g->capacity, buffered};
    memset(s.seen, 0, g->count * sizeof *s.seen);
    search_push_overwriters(&s, whole);
    return s;
}

bool model_is_torn(const struct graph *g, uint32_t e)
{
    e = graph_last_part(g, e);
    struct search s = search_begin(g, e, true);
    while (s.depth > 0) {
        uint32_t at = s.stack[--s.depth];
        if (at == e)
            return true;
        if (graph_is_write(&g->events[at]))
            search_push_all_readers(&s, at);
        search_push_overwriters(&s, at);
    }
    return false;
}

bool model_has_cycle(const struct graph *g, uint32_t e, bool buffered)
{
    if (g->has_parts)
        e = graph_last_part(g, e);
    struct search s = search_begin(g, e, buffered);
    while (s.depth > 0) {
        uint32_t at = s.stack[--s.depth];
        if (at == e)
            return true;
        search_expand(&s, at);
    }
    return false;
}

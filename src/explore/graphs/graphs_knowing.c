/* SPDX-License-Identifier: Apache-2.0 */
/* What threads use and know of each other: a certificate (graphs_removal.c) counts only where none of it matters. */
#include "explore/graphs/graphs_places.h"
#include "explore/graphs/graphs_inside.h"

void graphs_note_use(struct graphs *x, uint64_t address, uint64_t size)
{
    places_note_uses(x->counts.known_places, address, size);
}

bool graphs_is_used(const struct graphs *x, uint64_t address, uint64_t size)
{
    return x->settings.used_places && places_have_uses(x->settings.used_places, address, size);
}

void graphs_note_exposed(struct graphs *x, uint64_t exposed, uint64_t address, uint64_t size)
{
    for (; exposed; exposed &= exposed - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(exposed);
        for (uint64_t at = address & -UINT64_C(8); at < address + size; at += 8)
            places_note(x->counts.known_places, thread, PLACE_PLAIN_AT(at));
        if (size == 0)
            places_note(x->counts.known_places, thread, PLACE_EFFECTS);
    }
}

void graphs_note_strayed(struct graphs *x, uint32_t thread)
{
    places_note(x->counts.known_places, thread, PLACE_STATES);
}

/* A client can have the orders that are lost as its own, and then nothing is; but not if clients are fixed, nor where seq_cst accesses
 * at the edges of operations would be ordered by it: see folding.md. */
static bool can_orders_matter(const struct graphs *x)
{
    return x->settings.fold_unknowing || (x->model->kind == MODEL_LANGUAGE && x->counts.edges);
}

/* Steps at a mutex that succeed follow each other: none of them can come between two others. */
static bool is_in_turn(const struct graph_event *ev)
{
    enum operation o = ev->label.operation;
    return o == OPERATION_LOCK || o == OPERATION_UNLOCK ||
           (o == OPERATION_TRYLOCK && (ev->type == GRAPH_WRITE || ev->flags & GRAPH_UPDATE));
}

/* The thread's event with that index, counting from the last one. */
static const struct graph_event *event_of(const struct graph *g, uint32_t thread, int16_t index)
{
    const struct graph_event *ev = &g->events[g->threads[thread].last];
    while (ev->index > index)
        ev = &g->events[ev->po_before];
    return ev;
}

/* Does coherence let the access after event `before` see nothing older than what the thread wrote there, with whatever rounds? That
 * it knows of a write there which has such rounds before it is not enough: the thread may go round after it. But not if that is
 * the last it knows of the thread. */
static bool is_up_to_date(const struct graph *g, uint32_t location, uint32_t before, uint32_t thread)
{
    const int16_t *causes = graph_clock(g, before, CLOCK_PORF), *hb = graph_clock(g, before, CLOCK_HB);
    const struct graph_event *last = event_of(g, thread, causes[thread] - 1);
    if (last->type != GRAPH_WRITE || last->location != location)
        return false;
    uint32_t w = (uint32_t)(last - g->events);
    while (w != GRAPH_NONE && !graph_knows(g, hb, w, last))
        w = g->events[w].mo_after;
    return w != GRAPH_NONE;
}

/* Who accesses a location knowing more of a thread than happens before may see its rounds in an order of its own. */
static void note_knowing(struct graphs *x, const struct graph *g, const struct graph_event *ev,
                         uint32_t thread)
{
    if (!(ev->flags & GRAPH_QUIET))
        places_note(x->counts.known_places, thread, PLACE_PLAIN_MEMORY);
    if (ev->location != GRAPH_NONE && !is_in_turn(ev) &&
        !is_up_to_date(g, ev->location, ev->po_before, thread))
        places_note(x->counts.known_places, thread, ev->address);
}

void graphs_note_readers(struct graphs *x, const struct graph *g)
{
    for (uint32_t e = 0; e < g->count; e++)
        if (g->events[e].type == GRAPH_READ && !(g->events[e].flags & GRAPH_UNUSED))
            graphs_note_use(x, g->events[e].address, g->events[e].size);
}

void graphs_note_last_accesses(struct graphs *x, uint32_t thread)
{
    const struct graph *g = x->g;
    uint32_t last = g->threads[thread].last;
    if (x->model->kind != MODEL_LANGUAGE || last == GRAPH_NONE)
        return;
    for (uint32_t t = 0; t < g->thread_count; t++)
        if (graph_clock(g, last, CLOCK_PORF)[t] > graph_clock(g, last, CLOCK_HB)[t])
            places_note(x->counts.known_places, t, PLACE_PLAIN_MEMORY);
}

/* What counts is what the thread knew before the event. The write of an update goes with its read. */
void graphs_note_knowing(struct graphs *x)
{
    const struct graph *g = x->returns.finished ? x->returns.finished : x->g;
    if (g->has_parts) /* no certificate counts */
        return;
    graphs_note_readers(x, g);
    if (can_orders_matter(x))
        places_note(x->counts.known_places, 0, PLACE_ORDER_OF_OPERATIONS);
    for (uint32_t e = 0; x->model->kind == MODEL_LANGUAGE && e < g->count; e++) {
        const struct graph_event *ev = &g->events[e];
        if (ev->po_before == GRAPH_NONE || (ev->type == GRAPH_WRITE && ev->flags & GRAPH_UPDATE))
            continue;
        const int16_t *causes = graph_clock(g, ev->po_before, CLOCK_PORF),
                      *hb = graph_clock(g, ev->po_before, CLOCK_HB);
        for (uint32_t t = 0; t < g->thread_count; t++)
            if (causes[t] > hb[t])
                note_knowing(x, g, ev, t);
    }
    x->counts.uncertified |= graphs_places_conflict(&x->counts);
}

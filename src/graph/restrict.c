/* SPDX-License-Identifier: Apache-2.0 */
/* A graph without all that is neither older than a read nor a cause of what it is to find. */
#include "graph/graph.h"

#include <string.h>

/* --- what is kept ----------------------------------------------------------------------------------- */

/* The next one of a list of events that is kept. */
#define NEXT_KEPT(list, e)                   \
    do {                                     \
        while (e >= kept && e != GRAPH_NONE) \
            e = from->events[e].list;        \
    } while (0)

/* Accesses that are gone are in no list of this write. */
static void graph_keep_lists(struct graph *into, const struct graph *from, uint32_t kept, uint32_t w)
{
    NEXT_KEPT(mo_before, into->events[w].mo_before);
    NEXT_KEPT(mo_after, into->events[w].mo_after);
    for (uint32_t *link = &into->events[w].reader; *link != GRAPH_NONE; link = &into->events[*link].reader) {
        NEXT_KEPT(reader, *link);
        if (*link == GRAPH_NONE)
            return;
    }
}

static void graph_drop_access(struct graph *into, const struct graph *from, uint32_t kept,
                              const struct graph_event *ev)
{
    struct graph_location *l = &into->locations[ev->location];
    l->last = ev->location_before;
    NEXT_KEPT(mo_before, l->mo_last);
    if (ev->type == GRAPH_WRITE || ev->rf != GRAPH_NONE) {
        graph_count_access(into, ev, UINT32_MAX);
        into->steps -= !(ev->flags & (GRAPH_MORE | (ev->type == GRAPH_READ ? GRAPH_BLOCKED : GRAPH_UPDATE)));
    }
}

/* An event that is not kept; all later ones have been dropped. */
static void graph_drop(struct graph *into, const struct graph *from, uint32_t kept, uint32_t e)
{
    const struct graph_event *ev = &from->events[e];
    if (ev->type == GRAPH_INIT) {
        into->locations[ev->location].init = GRAPH_NONE;
        return;
    }
    struct graph_thread *t = &into->threads[ev->thread];
    t->last = ev->po_before;
    if (ev->po_before == GRAPH_NONE)
        t->first = GRAPH_NONE;
    else if (ev->po_before < kept)
        into->events[ev->po_before].po_after = GRAPH_NONE;
    if (ev->type <= GRAPH_READ) {
        graph_drop_access(into, from, kept, ev);
        return;
    }
    into->steps--;
    if (ev->type == GRAPH_CREATE)
        into->threads[ev->address].create = GRAPH_NONE;
    else if (ev->type == GRAPH_FENCE && ev->order == ORDER_SEQ_CST)
        into->sc_fences--;
}

/* The first events of a graph, as if all later ones had been cut off. */
static void graph_keep(struct graph *into, const struct graph *from, uint32_t kept)
{
    graph_copy_first(into, from, kept);
    for (uint32_t e = from->count; e-- > kept;)
        graph_drop(into, from, kept, e);
    for (uint32_t e = 0; e < kept; e++)
        if (graph_is_write(&into->events[e]))
            graph_keep_lists(into, from, kept, e);
}

/* --- what is copied besides ------------------------------------------------------------------------- */

static void graph_copy_location(struct graph *into, const struct graph *from, const struct graph_event *ev)
{
    if (into->locations[ev->location].init != GRAPH_NONE)
        return;
    const struct graph_location *l = &from->locations[ev->location];
    graph_touch(into, ev->location, l->address, l->size, from->events[l->init].value, l->mutex);
    into->locations[ev->location].mixed = l->mixed;
    from->scratch[l->init] = into->count - 1;
}

/* The nearest write before `w` in mo that has been copied already; images are in the scratch of `from`. */
static uint32_t graph_copied_co_before(const struct graph *from, uint32_t w)
{
    uint32_t before = from->events[w].mo_before;
    while (before > w || from->scratch[before] == GRAPH_NONE)
        before = from->events[before].mo_before;
    return from->scratch[before];
}

static void graph_copy_access(struct graph *into, uint32_t e, const struct graph *from, uint32_t old,
                              bool place)
{
    struct graph_event *ev = &into->events[e];
    const struct graph_event *source = &from->events[old];
    graph_join_location(into, e, source->location);
    if (ev->type != GRAPH_READ || source->rf != GRAPH_NONE)
        graph_count_access(into, ev, 1);
    if (ev->type == GRAPH_READ) {
        ev->rf = source->rf; /* until all are copied */
        into->steps += !(ev->flags & (GRAPH_BLOCKED | GRAPH_MORE));
        return;
    }
    into->steps += !(ev->flags & (GRAPH_UPDATE | GRAPH_MORE));
    if (place)
        graph_place(into, e, graph_copied_co_before(from, old));
}

/* As in `from`, which has all that came before it in its thread, but in no list. */
static uint32_t graph_append_copy(struct graph *into, const struct graph *from, uint32_t old)
{
    uint32_t e = into->count++;
    struct graph_event *ev = &into->events[e];
    *ev = from->events[old];
    struct graph_thread *t = &into->threads[ev->thread];
    ev->rf = ev->reader = ev->mo_before = ev->mo_after = GRAPH_NONE;
    ev->po_before = t->last;
    ev->po_after = GRAPH_NONE;
    if (t->last == GRAPH_NONE)
        t->first = e;
    else
        into->events[t->last].po_after = e;
    t->last = e;
    clock_copy(graph_clock(into, e, 0), graph_clock(from, old, 0), CLOCKS * from->width);
    return e;
}

static uint32_t graph_copy_event(struct graph *into, const struct graph *from, uint32_t old, bool place)
{
    const struct graph_event *source = &from->events[old];
    if (source->type <= GRAPH_READ)
        graph_copy_location(into, from, source);
    uint32_t e = graph_append_copy(into, from, old);
    const struct graph_event *ev = &into->events[e];
    from->scratch[old] = e;
    if (ev->type <= GRAPH_READ) {
        graph_copy_access(into, e, from, old, place);
        return e;
    }
    into->steps++;
    if (ev->type == GRAPH_CREATE)
        into->threads[ev->address].create = e;
    else if (ev->type == GRAPH_FENCE && ev->order == ORDER_SEQ_CST)
        into->sc_fences++;
    return e;
}

/* What was copied has another stamp now, and reads that were revisited before are older than what they read. */
static void graph_relink_readers(struct graph *into, const struct graph *from, uint32_t kept)
{
    for (uint32_t e = 0; e < into->count; e++) {
        struct graph_event *ev = &into->events[e];
        if (ev->type != GRAPH_READ || ev->rf == GRAPH_NONE || (e < kept && ev->rf < kept))
            continue;
        ev->rf = from->scratch[ev->rf];
        ev->reader = into->events[ev->rf].reader;
        into->events[ev->rf].reader = e;
    }
}

uint32_t graph_restrict(struct graph *into, const struct graph *from, uint32_t r, uint32_t a, bool keep_r)
{
    const int16_t *causes = graph_clock(from, a, CLOCK_PORF);
    uint32_t kept = keep_r ? r + 1 : r, first = graph_first_part(from, a), new_a = GRAPH_NONE;
    graph_keep(into, from, kept);
    for (uint32_t e = 0; e < kept; e++)
        from->scratch[e] = e;
    for (uint32_t e = kept; e < first; e++) {
        from->scratch[e] = GRAPH_NONE;
        const struct graph_event *ev = &from->events[e];
        if (ev->type != GRAPH_INIT && graph_includes(causes, ev))
            graph_copy_event(into, from, e, true);
    }
    for (uint32_t e = first; e <= a; e++)
        new_a = graph_copy_event(into, from, e, false);
    graph_relink_readers(into, from, kept);
    for (uint32_t e = new_a; keep_r && e != GRAPH_NONE; e = graph_part_before(into, e))
        if (into->events[e].location == into->events[r].location)
            graph_set_rf(into, r, e);
    return new_a;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A graph without all that is neither older than a read nor a cause of what it is to find. */
#include "graph/graph.h"

#include <string.h>

static void graph_copy_event_clocks(struct graph *into, uint32_t e, const struct graph *from, uint32_t old)
{
    clock_copy(graph_clock(into, e, 0), graph_clock(from, old, 0), CLOCKS * from->width);
}

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

static uint32_t graph_copy_event(struct graph *into, const struct graph *from, uint32_t old, bool place)
{
    const struct graph_event *source = &from->events[old];
    if (source->type <= GRAPH_READ)
        graph_copy_location(into, from, source);
    uint32_t e = graph_append(into, source->thread, source->type);
    struct graph_event *ev = &into->events[e];
    from->scratch[old] = e;
    ev->value = source->value;
    ev->operand = source->operand;
    ev->expected = source->expected;
    ev->address = source->address;
    ev->history = source->history;
    ev->depth = source->depth;
    ev->plain = source->plain;
    ev->state = source->state;
    ev->label = source->label;
    ev->order = source->order;
    ev->size = source->size;
    ev->flags = source->flags;
    graph_copy_event_clocks(into, e, from, old);
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
    graph_copy_some(into, from, kept); /* what is cut off has no need of clocks */
    graph_cut(into, kept);
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

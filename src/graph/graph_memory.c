/* SPDX-License-Identifier: Apache-2.0 */
/* Where a graph keeps its events, clocks and locations: making room for them, and copying them. */
#include "graph/graph.h"

#include "base/memory.h"

#include <string.h>

struct graph *graph_new(const uint8_t *effective_order, bool writers_publish)
{
    struct graph *g = NEW(struct graph);
    g->effective_order = effective_order;
    g->writers_publish = writers_publish;
    g->width = CLOCK_LANES;
    for (uint32_t t = 0; t < GRAPH_THREADS_MAX; t++)
        g->threads[t] = (struct graph_thread){GRAPH_NONE, GRAPH_NONE, GRAPH_NONE};
    graph_reserve(g, 64, 16);
    return g;
}

void graph_free(struct graph *g)
{
    free(g->events);
    free(g->clocks);
    free(g->locations);
    free(g->scratch);
    free(g);
}

static void graph_grow_events(struct graph *g, uint32_t need)
{
    uint32_t capacity = g->capacity < 32 ? 64 : g->capacity * 2;
    while (capacity < need)
        capacity *= 2;
    g->events = base_realloc(g->events, (size_t)capacity * sizeof *g->events);
    g->clocks = base_realloc(g->clocks, (size_t)capacity * CLOCKS * g->width * sizeof *g->clocks);
    g->scratch = base_realloc(g->scratch, (size_t)capacity * GRAPH_SCRATCH * sizeof *g->scratch);
    g->capacity = capacity;
}

static void graph_grow_locations(struct graph *g, uint32_t need)
{
    if (need > g->location_capacity) {
        g->location_capacity = need * 2;
        g->locations = base_realloc(g->locations, g->location_capacity * sizeof *g->locations);
    }
    for (; g->location_count < need; g->location_count++)
        g->locations[g->location_count].init = GRAPH_NONE;
}

void graph_reserve(struct graph *g, uint32_t more, uint32_t locations)
{
    if (g->count + more > g->capacity)
        graph_grow_events(g, g->count + more);
    if (locations > g->location_count)
        graph_grow_locations(g, locations);
}

/* From the last clock down, so that it can be done in place. */
void graph_widen(struct graph *g, uint32_t width)
{
    uint32_t old = g->width;
    g->width = width;
    g->clocks = base_realloc(g->clocks, (size_t)g->capacity * CLOCKS * width * sizeof *g->clocks);
    for (size_t i = (size_t)g->count * CLOCKS; i-- > 0;) {
        memmove(g->clocks + i * width, g->clocks + i * old, old * sizeof *g->clocks);
        memset(g->clocks + i * width + old, 0, (width - old) * sizeof *g->clocks);
    }
}

void graph_set_size(struct graph *g, uint32_t events, uint32_t width)
{
    graph_reserve(g, events, 0);
    if (g->width == width)
        return;
    g->width = width;
    g->clocks = base_realloc(g->clocks, (size_t)g->capacity * CLOCKS * width * sizeof *g->clocks);
}

void graph_copy_first(struct graph *into, const struct graph *from, uint32_t events)
{
    into->count = 0;
    graph_set_size(into, from->count, from->width);
    graph_reserve(into, 0, from->location_count);
    memcpy(into->clocks, from->clocks, (size_t)events * CLOCKS * from->width * sizeof *from->clocks);
    memcpy(into->events, from->events, events * sizeof *from->events);
    memcpy(into->locations, from->locations, from->location_count * sizeof *from->locations);
    for (uint32_t i = from->location_count; i < into->location_count; i++)
        into->locations[i].init = GRAPH_NONE;
    uint32_t threads = from->thread_count > into->thread_count ? from->thread_count : into->thread_count;
    memcpy(into->threads, from->threads, threads * sizeof *from->threads);
    into->thread_count = from->thread_count;
    into->count = events;
    into->steps = from->steps;
    into->sc_accesses = from->sc_accesses;
    into->sc_fences = from->sc_fences;
    into->weak_accesses = from->weak_accesses;
    into->effective_order = from->effective_order;
    into->writers_publish = from->writers_publish;
    into->stores_continue = from->stores_continue;
    into->has_twins = from->has_twins;
    into->has_parts = from->has_parts;
    into->has_depths = from->has_depths;
}

void graph_copy(struct graph *into, const struct graph *from)
{
    graph_copy_first(into, from, from->count);
}

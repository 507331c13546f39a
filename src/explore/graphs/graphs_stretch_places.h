/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches in one graph: where they are, which comes before which, and those that touch an address. */
#ifndef EXPLORE_GRAPHS_STRETCH_PLACES_H
#define EXPLORE_GRAPHS_STRETCH_PLACES_H

#include "explore/graphs/graphs_inside.h"

/* What the word in an event stands for. */
static inline const struct graphs_memo_entry *graphs_entry_of(const struct graphs *x, uint32_t word)
{
    return &x->memo.entries.data[(word >> 1) - 1 - x->stretches.first];
}

/* Where a stretch is in a graph: after that event of its thread; GRAPH_NONE: before the first one of main. */
struct graphs_place {
    uint32_t event, thread;
    int32_t index;
    const int16_t *hb;
};

static inline struct graphs_place graphs_place_after(const struct graph *g, uint32_t thread, uint32_t event)
{
    static const int16_t nothing[GRAPH_THREADS_MAX];
    if (event == GRAPH_NONE)
        return (struct graphs_place){event, thread, -1, nothing};
    return (struct graphs_place){event, thread, g->events[event].index, graph_clock(g, event, CLOCK_HB)};
}

/* What a thread does after an event is published by its next one. */
static inline bool graphs_place_is_before(const struct graphs_place *a, const struct graphs_place *b)
{
    return a->thread == b->thread ? a->index < b->index : b->hb[a->thread] >= a->index + 2;
}

static inline uint64_t graphs_bit_of_cell(uint64_t address)
{
    return UINT64_C(1) << ((address >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

/* Calls look at every stretch of the graph that touches or allocates what is at the address, the one at `here` left out; and perhaps at
 * others. */
typedef bool graphs_look(void *context, const struct graphs_place *there,
                         const struct graphs_memo_entry *entry);
static inline __attribute__((always_inline)) bool graphs_for_stretches(const struct graphs *x, uint32_t here,
                                                                       uint64_t address, graphs_look *look,
                                                                       void *context)
{
    const struct graph *g = x->g;
    const uint64_t bit = graphs_bit_of_cell(address);
    if (here != GRAPH_NONE && x->stretches.root & 1) {
        struct graphs_place there = graphs_place_after(g, 0, GRAPH_NONE);
        if (!look(context, &there, graphs_entry_of(x, x->stretches.root)))
            return false;
    }
    for (size_t i = 0; i < x->stretches.touching.len; i++) {
        uint32_t e = x->stretches.touching.data[i];
        const struct graphs_memo_entry *entry = graphs_entry_of(x, g->events[e].stretch);
        if (e == here || !(entry->cells & bit))
            continue;
        struct graphs_place there = graphs_place_after(g, g->events[e].thread, e);
        if (!look(context, &there, entry))
            return false;
    }
    return true;
}

static inline bool graphs_is_in_block(const struct graphs_touch *block, uint64_t address)
{
    return block->block && address - block->address < block->block;
}

#endif

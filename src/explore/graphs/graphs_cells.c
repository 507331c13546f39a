/* SPDX-License-Identifier: Apache-2.0 */
/* Plain memory in all executions, eight bytes at a time: which of them are atomic variables, which belong to a block of the heap, and
 * what is there in the beginning. For graphs_stretches.c. */
#include "explore/graphs/graphs_inside.h"

struct graphs_cell *graphs_cell_at(struct graphs *x, uint64_t address)
{
    uint32_t *number = hash_map_at(&x->stretches.numbers, address >> 3);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)x->stretches.cells.len;
        vec_push(&x->stretches.cells, ((struct graphs_cell){0}));
    }
    return &x->stretches.cells.data[*number];
}

const struct graphs_cell *graphs_find_cell(const struct graphs *x, uint64_t address)
{
    uint32_t number = hash_map_get(&x->stretches.numbers, address >> 3);
    return number == HASH_NO_NUMBER ? NULL : &x->stretches.cells.data[number];
}

bool explore_graphs_wrote(const struct explorer *e, uint64_t address)
{
    const struct graphs_cell *cell = graphs_find_cell(graphs_of(e), address);
    return cell && cell->written >> (address & 7) & 1;
}

/* Atomic variables may be initialised plainly, if that is done before all atomic accesses. Nothing is remembered of programs
 * in which several, or one of a larger size, lie where plain accesses are. */
void graphs_note_atomic(struct graphs *x, uint32_t site, unsigned size)
{
    uint64_t address = x->sites.list.data[site].address;
    for (uint64_t at = address, left = size; left > 0 && x->stretches.of_threads;) {
        uint64_t room = 8 - (at & 7), part = left < room ? left : room;
        struct graphs_cell *cell = graphs_cell_at(x, at);
        cell->atomic |= graphs_bytes_of(at, part);
        cell->has_sites |= part != size || (cell->site && cell->site != site + 1);
        cell->site = site + 1;
        if (cell->has_sites && cell->atomic & cell->plain)
            explore_graphs_set_memo(&x->base, false);
        at += part;
        left -= part;
    }
}

static bool is_in_graph(const struct graph *g, uint32_t site)
{
    return site < g->location_count && g->locations[site].init != GRAPH_NONE;
}

bool graphs_is_location(const struct graphs *x, const struct graphs_cell *cell, const struct graphs_touch *t)
{
    return cell && cell->atomic & t->touched && (cell->has_sites || is_in_graph(x->g, cell->site - 1));
}

/* Were they so far, while recorded events are repeated? */
static bool was_location(const struct graphs *x, const struct graphs_cell *cell, const struct graphs_touch *t)
{
    const struct graph *g = x->g;
    if (!graphs_is_location(x, cell, t) || cell->has_sites || x->run.replay_left == 0)
        return graphs_is_location(x, cell, t);
    uint32_t e = g->locations[cell->site - 1].last;
    while (g->events[e].type != GRAPH_INIT && g->events[e].index >= x->run.done[g->events[e].thread])
        e = g->events[e].location_before;
    return g->events[e].type != GRAPH_INIT;
}

bool graphs_note_plain(struct graphs *x, const struct graphs_touch *t)
{
    struct graphs_cell *cell = graphs_cell_at(x, t->address);
    cell->plain |= t->touched;
    cell->written |= t->written;
    return !(cell->atomic & cell->plain && cell->has_sites) && !was_location(x, cell, t);
}

/* An address belongs to the same block in all executions, so what a new one holds is the same in all. */
bool graphs_note_block(struct graphs *x, const struct graphs_touch *t)
{
    uint32_t number = graphs_cell_at(x, t->address)->block;
    if (number == 0) {
        vec_push(&x->stretches.blocks, ((struct graphs_heap_block){t->address, t->block}));
        number = (uint32_t)x->stretches.blocks.len;
    }
    const struct graphs_heap_block *block = &x->stretches.blocks.data[number - 1];
    if (block->address != t->address || block->size != t->block || t->block > GRAPHS_BLOCK_MOST)
        return false;
    for (uint64_t at = t->address; at < t->address + t->block; at += 8) {
        struct graphs_cell *cell = graphs_cell_at(x, at);
        if (cell->block != 0 && cell->block != number)
            return false;
        cell->block = number;
    }
    return true;
}

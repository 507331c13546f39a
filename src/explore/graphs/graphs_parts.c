/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of different sizes to the same memory: which granules there are, and accesses with several parts.
 * docs/internals/explore/mixed.md has the definition and why each graph is made once. */
#include "explore/graphs/graphs_inside.h"

#include <string.h>

/* --- blocks and granules ---------------------------------------------------------------------------- */

/* Accesses that are aligned to their size lie in one block. Bit k of `cuts`: a granule begins at byte k, and so do those that
 * halving the block comes to before; bit 0: sizes are mixed. */
enum { BLOCK = 16 };

static uint64_t block_of(uint64_t address)
{
    return address & ~(uint64_t)(BLOCK - 1);
}

static uint16_t find_cuts(const struct graphs *x, uint64_t block)
{
    unsigned cuts = 0;
    for (unsigned k = 0; k < BLOCK; k++)
        cuts |= (unsigned)explore_graphs_knows(&x->base, GRAPHS_CUT, block + k) << k;
    return (uint16_t)cuts;
}

static uint16_t cuts_of(struct graphs *x, uint64_t block)
{
    struct graphs_block *b = &x->sites.blocks[block / BLOCK % GRAPHS_BLOCKS];
    if (!b->is_known || b->address != block)
        *b = (struct graphs_block){block, find_cuts(x, block), true};
    return b->cuts;
}

void graphs_note_cut(struct graphs *x)
{
    x->sites.has_mixed = true;
    memset(x->sites.blocks, 0, sizeof x->sites.blocks);
}

/* The granule of the byte at `address`. */
static struct graphs_granule granule_at(uint16_t cuts, uint64_t address)
{
    unsigned from = 0, size = BLOCK, at = (unsigned)(address - block_of(address));
    while (size > 1 && cuts >> (from + 1) & ((1u << (size - 1)) - 1)) {
        size /= 2;
        from += at >= from + size ? size : 0;
    }
    return (struct graphs_granule){block_of(address) + from, size};
}

/* Where the block has to be cut so that such a write covers whole granules: in the middle of the range, twice as large, that it
 * is a half of. */
static uint64_t cut_for(uint64_t address, unsigned size)
{
    return (address & ~(uint64_t)(2 * size - 1)) + size;
}

static bool is_aligned(uint64_t address, unsigned size)
{
    return size <= BLOCK && (size & (size - 1)) == 0 && address % size == 0;
}

/* Everything begins again: earlier executions took other parts for one. */
static void learn(struct graphs *x, uint64_t address)
{
    explore_graphs_find_out(&x->base, GRAPHS_CUT, address);
    graphs_note_cut(x);
    if (x->settings.symmetry)
        graphs_give_up_mutex(x, graphs_site_at(x, GRAPHS_TWINS_ADDRESS));
}

bool graphs_learn_mixed(struct graphs *x, const struct port_action *a)
{
    uint64_t block = block_of(a->address);
    if (!is_aligned(a->address, a->size))
        return false;
    for (uint32_t i = 0; i < x->g->location_count; i++) {
        const struct graph_location l = x->g->locations[i];
        if (l.init == GRAPH_NONE || l.address & GRAPHS_OBJECT || l.address >= block + BLOCK ||
            l.address + l.size <= block)
            continue;
        if (!is_aligned(l.address, l.size))
            return false;
        if (l.mo_last != l.init && l.size < BLOCK)
            learn(x, cut_for(l.address, l.size));
    }
    if (operation_may_write(a->operation) && a->size < BLOCK)
        learn(x, cut_for(a->address, a->size));
    learn(x, block);
    return true;
}

bool explore_graphs_has_mixed(const struct explorer *e)
{
    return graphs_of(e)->sites.has_mixed;
}

bool graphs_is_mixed(struct graphs *x, const struct port_action *a)
{
    return x->sites.has_mixed && !(a->flags & PORT_OBJECT) && cuts_of(x, block_of(a->address)) & 1;
}

uint32_t graphs_granules(struct graphs *x, uint64_t address, unsigned size, struct graphs_granule *granules)
{
    uint16_t cuts = cuts_of(x, block_of(address));
    uint32_t count = 0;
    for (uint64_t at = address; at < address + size; count++) {
        granules[count] = granule_at(cuts, at);
        at = granules[count].address + granules[count].size;
    }
    return count;
}

uint32_t graphs_only_location(struct graphs *x, const struct port_action *a)
{
    if (!graphs_is_mixed(x, a))
        return graphs_site_at(x, graphs_address(a));
    struct graphs_granule granules[GRAPHS_GRANULES];
    return graphs_granules(x, a->address, a->size, granules) == 1 ? graphs_site_at(x, granules[0].address)
                                                                  : GRAPH_NONE;
}

enum graphs_split graphs_split(struct graphs *x, const struct port_action *a, struct graphs_parts *parts)
{
    if (!graphs_is_mixed(x, a))
        return GRAPHS_SPLIT_NOT;
    if (!is_aligned(a->address, a->size))
        return GRAPHS_SPLIT_REFUSED;
    parts->count = graphs_granules(x, a->address, a->size, parts->granules);
    if (operation_may_write(a->operation) && parts->granules[0].size > a->size) {
        learn(x, cut_for(a->address, a->size));
        return GRAPHS_SPLIT_RESTARTS;
    }
    return GRAPHS_SPLIT_DONE;
}

/* --- reads ------------------------------------------------------------------------------------------ */

/* The part after `before`; the location is there, since its initial value is older than the first part. */
uint32_t graphs_append_next_part(struct graphs *x, uint32_t before)
{
    struct graph *g = x->g;
    graph_reserve(g, 1, 0);
    const struct graph_location *l = &g->locations[g->events[before].location];
    uint32_t location = graphs_site_at(x, l->address + l->size);
    uint32_t e = graph_append(g, g->events[before].thread, GRAPH_READ);
    const struct graph_event *b = &g->events[before];
    struct graph_event *ev = &g->events[e];
    l = &g->locations[location];
    ev->label = b->label;
    ev->address = b->address;
    ev->size = b->size;
    ev->operand = b->operand;
    ev->expected = b->expected;
    ev->plain = b->plain;
    ev->state = x->settings.returns ? 0 : b->state; /* its thread arrives once */
    ev->flags = (uint16_t)((b->flags & (GRAPH_WEAK | GRAPH_QUIET | GRAPH_UNUSED)) | GRAPH_PART);
    if (l->address + l->size < ev->address + ev->size)
        ev->flags |= GRAPH_MORE;
    graph_join_location(g, e, location);
    return e;
}

/* A part of a plain load reads the newest write that goes with what the parts before it read. Where whether the access writes, or
 * what it knows, depends on all parts, that is not enough to make each graph once: such a part may be left open. */
static bool may_be_open(const struct graphs *x, const struct graph_event *ev)
{
    if (ev->label.operation != OPERATION_LOAD)
        return true;
    return x->model->kind == MODEL_LANGUAGE && graph_is_acquire(x->model->effective_order[ev->label.order]);
}

static bool are_newest(const struct graph *g, uint32_t r)
{
    for (; r != GRAPH_NONE; r = graph_part_before(g, r))
        if (g->events[r].rf == GRAPH_NONE || g->events[g->events[r].rf].mo_after != GRAPH_NONE)
            return false;
    return true;
}

bool graphs_parts_read_newest(const struct graph *g, uint32_t r)
{
    return are_newest(g, graph_last_part(g, r));
}

static bool is_consistent(const struct graphs *x, uint32_t r)
{
    return are_newest(x->g, r) || x->model->is_consistent(x->g, r);
}

/* The part reads the newest write that it can; older ones, and nothing, are left for later. */
static bool choose_source(struct graphs *x, uint32_t r)
{
    struct graph *g = x->g;
    uint32_t before = g->events[r].po_before, w = g->locations[g->events[r].location].mo_last;
    const int16_t *hb = graph_clock(g, before, CLOCK_HB);
    bool opens =
        may_be_open(x, &g->events[r]) && (x->model->kind == MODEL_LANGUAGE || !are_newest(g, before));
    bool found = false, known = false;
    if (opens)
        graphs_push_item(x, ITEM_RF, r, GRAPH_NONE);
    for (; w != GRAPH_NONE && !known; w = g->events[w].mo_before) {
        known = graph_knows(g, hb, w, &g->events[r]);
        if (found) {
            graphs_push_item(x, ITEM_RF, r, w);
            continue;
        }
        graph_set_rf(g, r, w);
        found = is_consistent(x, r);
    }
    if (found)
        return true;
    if (opens)
        x->search.items.len--;
    graph_leave_open(g, r);
    return opens;
}

bool graphs_add_parts(struct graphs *x, uint32_t r)
{
    while (x->g->events[r].flags & GRAPH_MORE) {
        r = graphs_append_next_part(x, r);
        if (!choose_source(x, r))
            return false;
        if (x->g->events[r].rf == GRAPH_NONE)
            return true;
    }
    graphs_push_failure(x, r);
    return !(x->g->events[r].flags & GRAPH_UPDATE) || graphs_add_update(x, r);
}

/* --- writes ----------------------------------------------------------------------------------------- */

uint32_t graphs_append_part(struct graph *g, uint32_t thread, const struct graphs_parts *parts, uint32_t k)
{
    uint32_t w = graph_append(g, thread, GRAPH_WRITE);
    if (k > 0)
        g->events[w].flags |= GRAPH_PART;
    if (k + 1 < parts->count)
        g->events[w].flags |= GRAPH_MORE;
    return w;
}

/* The k-th part of the write that ends with `last`. */
static uint32_t part_at(const struct graph *g, uint32_t last, uint32_t k)
{
    uint32_t w = graph_first_part(g, last);
    while (k-- > 0)
        w = g->events[w].po_after;
    return w;
}

/* Each part has its own place; those from w on are not in mo. All are put last, part by part, and before one is, its other places
 * are left for later, where the parts after it come again. */
void graphs_place_parts(struct graphs *x, uint32_t w)
{
    struct graph *g = x->g;
    for (;; w = g->events[w].po_after) {
        uint32_t last = g->locations[g->events[w].location].mo_last;
        graphs_push_places_before(x, w, last);
        graph_place(g, w, last);
        if (!(g->events[w].flags & GRAPH_MORE))
            return;
    }
}

void graphs_unplace_parts(struct graph *g, uint32_t last)
{
    for (uint32_t w = last; w != GRAPH_NONE; w = graph_part_before(g, w))
        graph_unplace(g, w);
}

void graphs_place_update(struct graph *g, uint32_t last)
{
    for (uint32_t w = last; w != GRAPH_NONE; w = graph_part_before(g, w))
        graph_place(g, w, graph_update_source(g, &g->events[w]));
}

void graphs_take_place(struct graphs *x, struct graphs_item it)
{
    struct graph *g = x->g;
    uint32_t w = part_at(g, it.event, it.way);
    if (g->events[it.event].flags & GRAPH_UPDATE) {
        graphs_unplace_parts(g, it.event);
        graphs_place_update(g, it.event);
        return;
    }
    for (uint32_t e = w;; e = g->events[e].po_after) {
        graph_unplace(g, e);
        if (e == it.event)
            break;
    }
    graph_place(g, w, it.other);
    if (w != it.event)
        graphs_place_parts(x, g->events[w].po_after);
}

/* --- what may be deleted ---------------------------------------------------------------------------- */

static bool are_newest_before(const struct graph *g, const int16_t *causes, uint32_t r, uint32_t stamp)
{
    for (; r != GRAPH_NONE; r = graph_part_before(g, r))
        if (g->events[r].rf == GRAPH_NONE || graphs_is_overwritten(g, causes, g->events[r].rf, stamp))
            return false;
    return true;
}

/* In the graph of what is older than part r, and of the causes of write a: can r read something newer than it does? */
static bool could_read_newer(struct graphs *x, const int16_t *causes, uint32_t a, uint32_t r)
{
    const struct graph *g = x->g;
    struct graph *part = graphs_new_graph(x);
    uint32_t source = g->events[r].rf;
    uint32_t new_a = graph_restrict(part, g, r, a, true);
    bool could = false;
    graph_set_rf(part, r, g->scratch[source]);
    graph_cut(part, graph_first_part(part, new_a));
    for (uint32_t w = g->events[source].mo_after; w != GRAPH_NONE && !could; w = g->events[w].mo_after)
        if (graphs_is_before(g, causes, w, r)) {
            graph_set_rf(part, r, g->scratch[w]);
            could = are_newest(part, r) || x->model->is_consistent(part, r);
        }
    vec_push(&x->search.pool, part);
    return could;
}

bool graphs_part_is_maximal(struct graphs *x, const int16_t *causes, uint32_t a, uint32_t r)
{
    const struct graph *g = x->g;
    const struct graph_event *ev = &g->events[r];
    if (ev->flags & GRAPH_FAILS)
        return false;
    if (may_be_open(x, ev)) {
        bool newest = are_newest_before(g, causes, ev->po_before, r);
        return newest ? ev->rf != GRAPH_NONE && !graphs_is_overwritten(g, causes, ev->rf, r)
                      : ev->rf == GRAPH_NONE;
    }
    return !graphs_is_overwritten(g, causes, ev->rf, r) || !could_read_newer(x, causes, a, r);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Steps at memory that stretches access, too: is a step in order with them, and what does its location hold before its first event? */
#include "explore/graphs/graphs_stretch_places.h"

/* A step, or a first access to its location, and plain accesses there. */
struct order {
    const struct graphs *x;
    struct graphs_place here;
    uint64_t address;
    uint8_t bytes;
    bool is_allocated, is_written;
    struct graphs_place writer;
    uint64_t value;
};

/* False: one is not before, or wrote only a part. */
static bool look_at_order(void *context, const struct graphs_place *there,
                          const struct graphs_memo_entry *entry)
{
    struct order *o = context;
    const struct graphs_touch *touches = &o->x->stretches.touches.data[entry->touches];
    bool before = graphs_place_is_before(there, &o->here);
    for (uint32_t i = 0; i < entry->touch_count; i++) {
        const struct graphs_touch *t = &touches[i];
        o->is_allocated |= before && graphs_is_in_block(t, o->address);
        if (t->block || t->address != (o->address & ~UINT64_C(7)) || !(t->touched & o->bytes))
            continue;
        if (!before || (t->written & o->bytes && o->bytes & ~t->written))
            return false;
        if (!(t->written & o->bytes) || (o->is_written && !graphs_place_is_before(&o->writer, there)))
            continue;
        o->is_written = true;
        o->writer = *there;
        o->value = t->after;
    }
    return true;
}

static bool is_initial(const struct graph *g, uint32_t at)
{
    const struct graph_event *ev = &g->events[at];
    uint32_t read = ev->type == GRAPH_READ ? at : ev->flags & GRAPH_UPDATE ? ev->po_before : GRAPH_NONE;
    return read != GRAPH_NONE && g->events[g->events[read].rf].type == GRAPH_INIT;
}

/* The step comes after plain accesses and the allocation, and does not read what may never have been written. */
bool graphs_is_step_safe(struct graphs *x, const struct port_action *a)
{
    if (x->stretches.is_unsafe || a->operation == OPERATION_NONE)
        return !x->stretches.is_unsafe;
    const struct graphs_cell *cell = graphs_find_cell(x, a->address);
    if (!cell || !(cell->block || cell->plain & cell->atomic))
        return cell != NULL;
    uint32_t at = x->g->threads[a->thread].last;
    struct order o = {.x = x,
                      .here = graphs_place_after(x->g, a->thread, at),
                      .address = a->address,
                      .bytes = graphs_bytes_of(a->address, a->size),
                      .is_allocated = cell->block == 0};
    return graphs_for_stretches(x, at, a->address, look_at_order, &o) && o.is_allocated &&
           (o.is_written || cell->block == 0 || !is_initial(x->g, at));
}

event_word graphs_find_initial(struct graphs *x, const struct port_action *a)
{
    uint32_t site = graphs_site_at(x, graphs_address(a)), at = graphs_event_before(x->g, a->thread);
    const struct graphs_cell *cell = graphs_find_cell(x, a->address);
    const struct graphs_site *s = &x->sites.list.data[site];
    x->stretches.is_unsafe |= !s->has_initial;
    if (!cell || !(cell->plain & graphs_bytes_of(a->address, a->size)))
        return s->initial;
    struct order o = {.x = x,
                      .here = graphs_place_after(x->g, a->thread, at),
                      .address = a->address,
                      .bytes = graphs_bytes_of(a->address, a->size)};
    uint64_t value = 0;
    if (!graphs_for_stretches(x, GRAPH_NONE - 1, a->address, look_at_order, &o) || !o.is_written)
        x->stretches.is_unsafe = true;
    else
        value = o.value >> 8 * (a->address & 7) & graphs_bits_of(graphs_bytes_of(0, a->size));
    return value;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/race/clocks_shadow.h"

#include "base/check.h"

#include <string.h>

enum { FIRST_SLOTS_LOG = 10, FIRST_CELLS = 256, FIRST_BLOCK = 23, CELL_ALIGNMENT = 64 };

_Static_assert(sizeof(struct shadow_record) == 16, "records are small");
_Static_assert(sizeof(struct shadow_cell) == 3 * CELL_ALIGNMENT, "a cell has three cache lines");

static void shadow_allocate_slots(struct shadow *s, unsigned capacity_log)
{
    s->slots = NEW_ZEROED(struct shadow_slot, (size_t)1 << capacity_log);
    s->mask = ((size_t)1 << capacity_log) - 1;
    s->shift = 64 - capacity_log;
}

static void shadow_allocate_cells(struct shadow *s, size_t capacity)
{
    s->allocation = base_alloc((capacity + 1) * sizeof *s->cells);
    uintptr_t start = ((uintptr_t)s->allocation + CELL_ALIGNMENT - 1) & ~(uintptr_t)(CELL_ALIGNMENT - 1);
    s->cells = (struct shadow_cell *)start;
    s->cells_cap = capacity;
}

void shadow_init(struct shadow *s)
{
    *s = (struct shadow){.stamp = 1};
    shadow_allocate_slots(s, FIRST_SLOTS_LOG);
    shadow_allocate_cells(s, FIRST_CELLS);
}

void shadow_free(struct shadow *s)
{
    free(s->slots);
    free(s->allocation);
    vec_free(&s->blocks);
}

void shadow_reset(struct shadow *s)
{
    s->live = 0;
    vec_clear(&s->blocks);
    if (++s->stamp == 0) { /* once in four billion executions old stamps would become valid again */
        memset(s->slots, 0, (s->mask + 1) * sizeof *s->slots);
        s->stamp = 1;
    }
}

/* Of a granule that has none. */
static struct shadow_slot *shadow_place(const struct shadow *s, uint64_t granule)
{
    struct shadow_slot *empty = NULL;
    shadow_find_or(s, granule, &empty);
    return empty;
}

static void shadow_grow_slots(struct shadow *s)
{
    struct shadow old = *s;
    shadow_allocate_slots(s, 64 - old.shift + 1);
    for (size_t i = 0; i <= old.mask; i++)
        if (old.slots[i].stamp == s->stamp)
            *shadow_place(s, old.slots[i].granule) = old.slots[i];
    free(old.slots);
}

static void shadow_grow_cells(struct shadow *s)
{
    struct shadow old = *s;
    shadow_allocate_cells(s, old.cells_cap * 2);
    memcpy(s->cells, old.cells, old.live * sizeof *s->cells);
    free(old.allocation);
}

static void shadow_clear_cell(struct shadow_cell *cell, uint8_t bytes, uint32_t group)
{
    cell->block = 0;
    cell->count = 0;
    cell->bytes = bytes;
    cell->group = (uint8_t)group;
    for (int k = 0; k < COMPACT_KINDS; k++)
        cell->compact.clocks[k] = (lanes){0};
    cell->compact.message = (lanes){0};
}

struct shadow_cell *shadow_add_cell(struct shadow *s, struct shadow_slot *empty, uint64_t granule,
                                    uint8_t bytes, uint32_t group)
{
    if (s->live >= s->mask / 2) {
        shadow_grow_slots(s);
        empty = shadow_place(s, granule);
    }
    if (s->live == s->cells_cap)
        shadow_grow_cells(s);
    *empty = (struct shadow_slot){granule, s->stamp, (uint32_t)s->live};
    struct shadow_cell *cell = &s->cells[s->live++];
    shadow_clear_cell(cell, bytes, group);
    return cell;
}

struct shadow_cell *shadow_add_other(struct shadow *s, struct shadow_cell *cell, uint8_t bytes, bool copy)
{
    size_t number = (size_t)(cell - s->cells);
    if (s->live == s->cells_cap)
        shadow_grow_cells(s);
    cell = &s->cells[number];
    cell->other = (uint32_t)s->live++;
    struct shadow_cell *other = &s->cells[cell->other];
    if (copy)
        *other = *cell;
    else
        shadow_clear_cell(other, bytes, cell->group);
    other->bytes = bytes;
    other->other = 0;
    return cell;
}

void shadow_grow_records(struct shadow *s, struct shadow_cell *cell)
{
    size_t capacity = cell->block ? shadow_capacity(s, cell) * 2 : FIRST_BLOCK;
    size_t start = s->blocks.len + 1;
    CHECK(start + capacity <= UINT32_MAX);
    vec_reserve(&s->blocks, start + capacity);
    s->blocks.len = start + capacity;
    s->blocks.data[start - 1].tag = capacity;
    memcpy(s->blocks.data + start, shadow_records(s, cell), cell->count * sizeof(struct shadow_record));
    cell->block = (uint32_t)start;
}

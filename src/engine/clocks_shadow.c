/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/clocks_shadow.h"

#include "base/check.h"

#include <string.h>

enum { FIRST_CAPACITY_LOG = 10, FIRST_BLOCK = 7, CELL_ALIGNMENT = sizeof(struct shadow_cell) };

_Static_assert(sizeof(struct shadow_record) == 16, "records are small");
_Static_assert(sizeof(struct shadow_cell) == 64, "a cell is a cache line");

static void shadow_allocate_cells(struct shadow *s, unsigned capacity_log)
{
    size_t capacity = (size_t)1 << capacity_log;
    s->allocation = base_alloc_zero(capacity + 1, sizeof *s->cells);
    uintptr_t start = ((uintptr_t)s->allocation + CELL_ALIGNMENT - 1) & ~(uintptr_t)(CELL_ALIGNMENT - 1);
    s->cells = (struct shadow_cell *)start;
    s->mask = capacity - 1;
    s->shift = 64 - capacity_log;
}

void shadow_init(struct shadow *s)
{
    *s = (struct shadow){.stamp = 1};
    shadow_allocate_cells(s, FIRST_CAPACITY_LOG);
}

void shadow_free(struct shadow *s)
{
    free(s->allocation);
    vec_free(&s->blocks);
}

void shadow_reset(struct shadow *s)
{
    s->live = 0;
    vec_clear(&s->blocks);
    if (++s->stamp == 0) { /* once in 65535 executions old stamps would become valid again */
        memset(s->cells, 0, (s->mask + 1) * sizeof *s->cells);
        s->stamp = 1;
    }
}

static void shadow_grow_table(struct shadow *s)
{
    struct shadow old = *s;
    shadow_allocate_cells(s, 64 - old.shift + 1);
    for (size_t i = 0; i <= old.mask; i++)
        if (old.cells[i].stamp == s->stamp)
            *shadow_search(s, old.cells[i].granule) = old.cells[i];
    free(old.allocation);
}

struct shadow_cell *shadow_add_cell(struct shadow *s, struct shadow_cell *empty, uint64_t granule)
{
    if (++s->live > s->mask / 2) {
        shadow_grow_table(s);
        empty = shadow_search(s, granule);
    }
    empty->granule = granule;
    empty->stamp = s->stamp;
    empty->count = 0;
    empty->block = 0;
    return empty;
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

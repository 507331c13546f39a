/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_heap.h"

#include <string.h>

struct symbols_heap_count {
    const char *name;
    uint32_t count;
};

/* --- blocks ------------------------------------------------------------------------------------- */

/* Index of the first block that ends behind `address`. */
static size_t first_behind(const struct symbols_heap *h, uint64_t address)
{
    size_t low = 0, high = h->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (h->data[middle].address + h->data[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct symbols_block *symbols_heap_find(const struct symbols_heap *h, uint64_t address)
{
    size_t at = first_behind(h, address);
    return at < h->len && h->data[at].address <= address ? &h->data[at] : NULL;
}

/* The new block takes the place of all that it overlaps. */
static void insert_block(struct symbols_heap *h, struct symbols_block block)
{
    uint64_t end;
    if (!block.size)
        block.size = 1;
    if (__builtin_add_overflow(block.address, block.size, &end))
        return;
    size_t from = first_behind(h, block.address), to = from;
    while (to < h->len && h->data[to].address < end)
        to++;
    if (h->len + 1 > h->cap)
        h->data = base_grow(h->data, &h->cap, h->len + 1, sizeof *h->data);
    memmove(h->data + from + 1, h->data + to, (h->len - to) * sizeof *h->data);
    h->data[from] = block;
    h->len = h->len - (to - from) + 1;
}

static uint32_t next_ordinal(struct symbols_heap *h, const char *name)
{
    for (size_t i = 0; i < h->counts_len; i++)
        if (!strcmp(h->counts[i].name, name))
            return ++h->counts[i].count;
    if (h->counts_len == h->counts_cap)
        h->counts = base_grow(h->counts, &h->counts_cap, h->counts_len + 1, sizeof *h->counts);
    h->counts[h->counts_len++] = (struct symbols_heap_count){name, 1};
    return 1;
}

void symbols_heap_free(struct symbols_heap *h)
{
    free(h->data);
    free(h->counts);
    *h = (struct symbols_heap){0};
}

void symbols_heap_add(struct symbols_heap *h, struct symbols_block block)
{
    block.ordinal = next_ordinal(h, block.name);
    insert_block(h, block);
}

void symbols_heap_add_variable(struct symbols_heap *h, struct symbols_block variable)
{
    const struct symbols_block *before = symbols_heap_find(h, variable.address);
    if (before && before->variable && before->address == variable.address && before->size == variable.size &&
        strcmp(before->name, variable.name) == 0)
        return;
    variable.variable = true;
    variable.ordinal = next_ordinal(h, variable.name);
    insert_block(h, variable);
}

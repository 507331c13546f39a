/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/loop/undo.h"

enum { GRANULE = sizeof(uint64_t) };

static uint64_t content(uint64_t granule)
{
    uint64_t word;
    __builtin_memcpy(&word, (const void *)granule, sizeof word);
    return word;
}

static struct undo_entry *entry_of(struct undo *u, uint64_t granule)
{
    uint64_t bit = UINT64_C(1) << granule / GRANULE % 64;
    for (uint32_t k = u->count; u->filter & bit && k-- > 0;)
        if (u->entries[k].address == granule)
            return &u->entries[k];
    if (u->count == UNDO_ENTRIES)
        return NULL;
    u->filter |= bit;
    u->entries[u->count] = (struct undo_entry){.address = granule};
    return &u->entries[u->count++];
}

/* The bytes of the granule that the access touches. */
static uint64_t mask_of(uint64_t granule, uint64_t from, uint64_t end)
{
    uint64_t mask = ~UINT64_C(0);
    if (from > granule)
        mask &= mask << 8 * (from - granule);
    if (end < granule + GRANULE)
        mask &= ~UINT64_C(0) >> 8 * (granule + GRANULE - end);
    return mask;
}

bool undo_note(struct undo *u, uint64_t address, size_t size, bool counts)
{
    uint64_t end = address + size;
    if (size > GRANULE * UNDO_ENTRIES)
        return false;
    for (uint64_t g = address & -(uint64_t)GRANULE; g < end; g += GRANULE) {
        struct undo_entry *e = entry_of(u, g);
        if (!e)
            return false;
        uint64_t mask = mask_of(g, address, end), fresh = mask & ~e->written;
        e->before |= content(g) & fresh;
        e->written |= fresh;
        e->counted = counts ? e->counted | fresh : e->counted & ~mask;
    }
    return true;
}

struct hash_wide undo_hash(const struct undo *u, bool counters)
{
    struct hash_wide sum = {0};
    for (uint32_t k = 0; k < u->count; k++) {
        const struct undo_entry *e = &u->entries[k];
        uint64_t difference = (content(e->address) ^ e->before) & e->written & ~(counters ? 0 : e->counted);
        if (!difference)
            continue;
        struct hash_wide h = hash_bytes_wide((uint64_t[]){e->address, difference}, 2 * sizeof(uint64_t));
        sum.low += h.low;
        sum.high += h.high;
    }
    return sum;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "record/recorder/record_ring.h"
#include "record/recorder/record_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct ring *record_ring_create(void)
{
    void *memory = mmap(NULL, sizeof(struct ring), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    struct ring *ring = memory;
    ring->end = RING_SLOTS;
    return ring;
}

void record_ring_destroy(struct ring *ring)
{
    munmap(ring, sizeof *ring);
}

/* ---- values of the thread ---- */

/* Room for a length and so many bytes: in the area, or in the heap when the flusher is late. */
static char *make_room(struct ring *ring, size_t size, plumb_value *word)
{
    size_t whole = sizeof(uint64_t) + (size + 7) / 8 * 8;
    size_t place = ring->area_at % RING_AREA, skipped = place + whole > RING_AREA ? RING_AREA - place : 0;
    uint64_t taken = atomic_load_explicit(&ring->area_taken, memory_order_acquire);
    char *room;
    if (ring->area_at + skipped + whole - taken <= RING_AREA) {
        ring->area_at += skipped;
        room = &ring->area[ring->area_at % RING_AREA];
        *word = ring->area_at << 3 | RING_IN_AREA;
        ring->area_at += whole;
    } else {
        room = malloc(whole);
        if (!room)
            return NULL;
        *word = (uint64_t)(uintptr_t)room | RING_IN_HEAP;
    }
    uint64_t length = size;
    memcpy(room, &length, sizeof length);
    return room + sizeof length;
}

static plumb_value copy_items(struct ring *ring, const struct plumb_item *items, size_t count, bool is_array)
{
    plumb_value word;
    size_t size = is_array ? bytes_array_head_size(count) : 0;
    for (size_t i = 0; i < count; i++)
        size += bytes_item_size(items[i]);
    char *at = make_room(ring, size, &word);
    if (!at)
        return RING_NO_MEMORY;
    if (is_array)
        at = bytes_put_array_head(at, count);
    for (size_t i = 0; i < count; i++)
        at = bytes_put_item(at, items[i]);
    return word;
}

plumb_value record_ring_value(struct ring *ring, struct plumb_item item)
{
    if (item.kind == PLUMB_ITEM_INTEGER && item.is.integer >= PLUMB_SMALL_MIN &&
        item.is.integer <= PLUMB_SMALL_MAX)
        return (uint64_t)item.is.integer << 3;
    if (item.kind == PLUMB_ITEM_SPECIAL)
        return (uint64_t)item.is.integer << 3 | PLUMB_TAG_SPECIAL;
    return copy_items(ring, &item, 1, false);
}

static bool fits_pair(struct plumb_item item)
{
    return item.kind == PLUMB_ITEM_INTEGER && item.is.integer >= PLUMB_PAIR_MIN &&
           item.is.integer <= PLUMB_PAIR_MAX;
}

plumb_value record_ring_array(struct ring *ring, const struct plumb_item *items, size_t count)
{
    if (count == 2 && fits_pair(items[0]) && fits_pair(items[1]))
        return (uint64_t)items[0].is.integer << 34 | ((uint64_t)items[1].is.integer << 34) >> 30 |
               PLUMB_TAG_PAIR;
    return copy_items(ring, items, count, true);
}

/* ---- values of the flusher ---- */

static const char *stored_at(const struct ring *ring, plumb_value value)
{
    return (value & 7) == RING_IN_AREA ? &ring->area[(value >> 3) % RING_AREA]
                                       : (const char *)(uintptr_t)(value & ~(uint64_t)7);
}

const char *record_ring_value_bytes(const struct ring *ring, plumb_value value, uint64_t *length)
{
    const char *at = stored_at(ring, value);
    memcpy(length, at, sizeof *length);
    return at + sizeof *length;
}

void record_ring_value_done(struct ring *ring, plumb_value value)
{
    uint64_t length;
    if ((value & 7) == RING_IN_HEAP)
        free((void *)(uintptr_t)(value & ~(uint64_t)7));
    if ((value & 7) != RING_IN_AREA)
        return;
    record_ring_value_bytes(ring, value, &length);
    atomic_store_explicit(&ring->area_taken, (value >> 3) + sizeof length + (length + 7) / 8 * 8,
                          memory_order_release);
}

/* ---- events ---- */

/* The stamp of a half that is published. */
static uint64_t stamp_of(struct ring *ring, uint64_t half)
{
    const struct ring_slot *slot = ring_slot(ring, half / 2);
    if (half % 2 == 0 || slot->duration == RING_ABANDONED)
        return slot->call;
    return slot->duration == RING_LONG ? ring_slot(ring, half / 2 + 1)->call : slot->call + slot->duration;
}

uint64_t record_ring_look(struct ring *ring, uint64_t now)
{
    /* Before the sequence: the thread may go on between the two, and the stamp of an event that is not available yet is no bound. */
    uint64_t last = atomic_load_explicit(&ring->last, memory_order_acquire);
    uint64_t sequence = atomic_load_explicit(&ring->sequence, memory_order_acquire);
    ring->available = sequence >> 1;
    if (ring->taken < ring->available)
        ring->next = stamp_of(ring, ring->taken);
    return sequence & 1 ? last : now;
}

void record_ring_advance(struct ring *ring)
{
    bool is_long = ring->taken % 2 == 1 && ring_slot(ring, ring->taken / 2)->duration == RING_LONG;
    ring->taken += is_long ? 3 : 1;
    if (ring->taken % 2 == 0)
        atomic_store_explicit(&ring->slots_taken, ring->taken / 2, memory_order_release);
    if (ring->taken < ring->available)
        ring->next = stamp_of(ring, ring->taken);
}

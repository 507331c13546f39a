/* SPDX-License-Identifier: Apache-2.0 */
/* The common case of clocks_plain and clocks_atomic: a compact cell and no race. To be inlined; false when it is
 * not the common case, which calls for the real one. */
#ifndef ENGINE_CLOCKS_QUICK_H
#define ENGINE_CLOCKS_QUICK_H

#include "engine/race/clocks_state.h"

static inline bool bytes_in_one_granule(uint64_t address, size_t size)
{
    return size - 1 < 8 - (address & 7);
}

static inline uint8_t bytes_mask(uint64_t address, size_t size)
{
    if (__builtin_constant_p(size) && size == 8)
        return UINT8_MAX; /* it fills its granule */
    return (uint8_t)(((1u << size) - 1) << (address & 7));
}

/* The access of bytes in one granule, which has this cell. */
static inline __attribute__((always_inline)) bool clocks_plain_cell(struct clocks *c,
                                                                    struct shadow_cell *first,
                                                                    uint32_t thread, uint64_t address,
                                                                    size_t size, bool writes, uint64_t pc)
{
    uint32_t group = thread / LANES, lane = thread % LANES;
    struct shadow_cell *cell = shadow_compact_cell(&c->shadow, first, bytes_mask(address, size), group);
    lanes hb = c->threads[thread].hb.group[group];
    uint64_t place = compact_place(pc, size);
    if (__builtin_expect(!cell, false))
        return false;
    return writes ? compact_plain_write(cell, hb, lane, place) : compact_plain_read(cell, hb, lane, place);
}

/* The same, where nothing has happened yet; `empty` is the place for its slot. */
static inline __attribute__((always_inline)) void clocks_plain_first(struct clocks *c,
                                                                     struct shadow_slot *empty,
                                                                     uint32_t thread, uint64_t address,
                                                                     size_t size, bool writes, uint64_t pc)
{
    clocks_plain_cell(c,
                      shadow_add_cell(&c->shadow, empty, address >> SHADOW_GRANULE_LOG,
                                      bytes_mask(address, size), thread / LANES),
                      thread, address, size, writes, pc);
}

static inline __attribute__((always_inline)) bool clocks_plain_quick(struct clocks *c, uint32_t thread,
                                                                     uint64_t address, size_t size,
                                                                     bool writes, uint64_t pc)
{
    if (!bytes_in_one_granule(address, size))
        return false;
    struct shadow_cell *cell =
        shadow_get_cell(&c->shadow, address >> SHADOW_GRANULE_LOG, bytes_mask(address, size), thread / LANES);
    return clocks_plain_cell(c, cell, thread, address, size, writes, pc);
}

/* What is learned stays learned when the rest is left to clocks_atomic. */
static inline __attribute__((always_inline)) bool compact_atomic(struct thread_clocks *t,
                                                                 struct shadow_cell *cell, uint32_t thread,
                                                                 enum event_kind kind, unsigned order,
                                                                 uint64_t place)
{
    lanes hb = t->hb.group[0], message = cell->compact.message;
    if (kind != EVENT_WRITE && order_acquires(order))
        t->hb.group[0] = hb = lanes_max(hb, message);
    else if (kind != EVENT_WRITE)
        t->pending.group[0] = lanes_max(t->pending.group[0], message);
    if (kind == EVENT_READ || kind == EVENT_CAS_FAILED)
        return compact_atomic_read(cell, hb, thread, place);
    if (!compact_atomic_write(cell, hb, thread, place))
        return false;
    bool releases = order_releases(order);
    lanes published = releases ? hb : t->fenced.group[0];
    cell->compact.message = kind == EVENT_UPDATE ? lanes_max(published, message) : published;
    if (releases)
        thread_advance(t, thread);
    return true;
}

static inline __attribute__((always_inline)) bool clocks_atomic_quick(struct clocks *c, uint32_t thread,
                                                                      enum event_kind kind, uint64_t address,
                                                                      size_t size, unsigned order,
                                                                      uint64_t pc)
{
    if (!bytes_in_one_granule(address, size) || c->shadow.wide)
        return false;
    uint8_t bytes = bytes_mask(address, size);
    struct shadow_cell *cell = shadow_compact_cell(
        &c->shadow, shadow_get_cell(&c->shadow, address >> SHADOW_GRANULE_LOG, bytes, 0), bytes, 0);
    if (__builtin_expect(!cell, false))
        return false;
    return compact_atomic(&c->threads[thread], cell, thread, kind, order, compact_place(pc, size));
}

/* Four counts of events as lanes. */
static inline lanes lanes_of_counts(const uint16_t *events)
{
    typedef int16_t counts __attribute__((vector_size(8), aligned(2), may_alias));
    return __builtin_convertvector(*(const counts *)events, lanes);
}

static inline __attribute__((always_inline)) void clocks_set(struct clocks *c, uint32_t thread,
                                                             const uint16_t *events, uint32_t width)
{
    CHECK(thread < CLOCKS_THREADS_MAX);
    uint32_t most = width > thread ? width : thread + 1;
    if (__builtin_expect(c->width < most, false))
        clocks_widen(c, most - 1);
    union vector *hb = &c->threads[thread].hb;
    c->started |= UINT64_C(1) << thread;
    for (uint32_t i = 0; i < width; i += LANES)
        hb->group[i / LANES] = lanes_of_counts(events + i);
    for (uint32_t i = width; i < c->width; i += LANES)
        hb->group[i / LANES] = (lanes){0};
    hb->group[thread / LANES] -= lanes_only(thread % LANES);
}

/* Has anything plain happened to the bytes, or near them? */
static inline bool clocks_knows(const struct clocks *c, uint64_t address, size_t size)
{
    uint64_t first = address >> SHADOW_GRANULE_LOG, last = (address + (size - 1)) >> SHADOW_GRANULE_LOG;
    return shadow_find_cell(&c->shadow, first) || (first != last && shadow_find_cell(&c->shadow, last));
}

#endif

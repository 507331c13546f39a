/* SPDX-License-Identifier: Apache-2.0 */
/* Cells in compact form: a race check is a comparison of whole vectors. The rules are those of access_rules in
 * clocks.c. What a new access makes superfluous goes away lane by lane: clocks that its thread has reached.
 * Private to clocks.c. */
#ifndef ENGINE_CLOCKS_COMPACT_H
#define ENGINE_CLOCKS_COMPACT_H

#include "engine/race/clocks_shadow.h"

/* Code lies below 2^56 in every address space of Linux. */
enum { COMPACT_SIZE = 56 };

#define COMPACT_PC_END (UINT64_C(1) << COMPACT_SIZE)

static inline uint64_t compact_place(uint64_t pc, size_t size)
{
    return pc | (uint64_t)(size < UINT8_MAX ? size : UINT8_MAX) << COMPACT_SIZE;
}

/* What is not ordered before. */
static inline lanes compact_newer(lanes clocks, lanes hb)
{
    return clocks & (clocks > hb);
}

static inline void compact_forget(struct shadow_cell *cell)
{
    for (int k = 0; k < COMPACT_KINDS; k++)
        cell->compact.clocks[k] = (lanes){0};
    cell->compact.message = (lanes){0};
}

/* Each of these is false when the access races; nothing has changed then. */

static inline bool compact_plain_read(struct shadow_cell *cell, lanes hb, uint32_t lane, uint64_t place)
{
    lanes *clocks = cell->compact.clocks;
    if (lanes_any((clocks[COMPACT_PLAIN_WRITE] > hb) | (clocks[COMPACT_ATOMIC_WRITE] > hb)))
        return false;
    clocks[COMPACT_PLAIN_READ] = compact_newer(clocks[COMPACT_PLAIN_READ], hb) | (hb & lanes_only(lane));
    clocks[COMPACT_ATOMIC_READ] = compact_newer(clocks[COMPACT_ATOMIC_READ], hb);
    cell->compact.places[COMPACT_PLAIN_READ - 1][lane] = place;
    return true;
}

static inline bool compact_plain_write(struct shadow_cell *cell, lanes hb, uint32_t lane, uint64_t place)
{
    lanes *clocks = cell->compact.clocks, newer = {0};
    for (int k = 0; k < COMPACT_KINDS; k++)
        newer |= clocks[k] > hb;
    if (lanes_any(newer))
        return false;
    compact_forget(cell);
    clocks[COMPACT_PLAIN_WRITE] = hb & lanes_only(lane);
    cell->write_place = place;
    return true;
}

static inline bool compact_atomic_read(struct shadow_cell *cell, lanes hb, uint32_t lane, uint64_t place)
{
    lanes *clocks = cell->compact.clocks;
    if (lanes_any(clocks[COMPACT_PLAIN_WRITE] > hb))
        return false;
    clocks[COMPACT_ATOMIC_READ] = compact_newer(clocks[COMPACT_ATOMIC_READ], hb) | (hb & lanes_only(lane));
    cell->compact.places[COMPACT_ATOMIC_READ - 1][lane] = place;
    return true;
}

static inline bool compact_atomic_write(struct shadow_cell *cell, lanes hb, uint32_t lane, uint64_t place)
{
    lanes *clocks = cell->compact.clocks;
    if (lanes_any((clocks[COMPACT_PLAIN_WRITE] > hb) | (clocks[COMPACT_PLAIN_READ] > hb)))
        return false;
    clocks[COMPACT_ATOMIC_WRITE] = compact_newer(clocks[COMPACT_ATOMIC_WRITE], hb) | (hb & lanes_only(lane));
    clocks[COMPACT_ATOMIC_READ] = compact_newer(clocks[COMPACT_ATOMIC_READ], hb);
    cell->compact.places[COMPACT_ATOMIC_WRITE - 1][lane] = place;
    return true;
}

/* As a record of a list. The lane's thread has an access of that kind. */
static inline struct shadow_record compact_record(const struct shadow_cell *cell, enum compact_kind kind,
                                                  uint32_t lane)
{
    static const enum shadow_kind kinds[] = {SHADOW_PLAIN_WRITE, SHADOW_ATOMIC_WRITE, SHADOW_PLAIN_READ,
                                             SHADOW_ATOMIC_READ};
    uint64_t place = kind == COMPACT_PLAIN_WRITE ? cell->write_place : cell->compact.places[kind - 1][lane];
    uint64_t tag = shadow_tag(cell->compact.clocks[kind][lane], cell->group * LANES + lane, kinds[kind],
                              place >> COMPACT_SIZE);
    return (struct shadow_record){shadow_with_bytes(tag, cell->bytes), {place & (COMPACT_PC_END - 1)}};
}

#endif

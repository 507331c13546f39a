/* SPDX-License-Identifier: Apache-2.0 */
/* Time reduced to the moments that matter. Every operation can be moved to the right until just
 * before the next return, so only gaps between a call and a directly following return are needed. They
 * are numbered 0..count-1; `count` itself is END, after everything. An operation, which had [call, ret) in
 * events, has [gap_index(call), gap_index(ret)) in gaps: never empty, and with the same precedences. */
#ifndef MONITOR_GAPS_H
#define MONITOR_GAPS_H

#include "monitor/container/container.h"

struct gaps {
    uint32_t count;
    uint32_t *before; /* per event: how many of the gaps lie before it */
};

void gaps_find(struct gaps *g, const struct order *o);
void gaps_free(struct gaps *g);

/* `position` may be the END or never marks of containers (>= event count). */
static inline uint32_t gap_index(const struct gaps *g, uint32_t position, uint32_t events)
{
    return position < events ? g->before[position] : g->count + (position > events);
}

/* The same view with all times of the values in gaps: [ac, ar) push, [dc, dr) pop, [ar, dc) inside. */
void gaps_convert_values(const struct gaps *g, const struct container *c, struct container_value *out);

/* A set of gaps with fast "next at or after" and "last before". */
struct gap_set {
    uint64_t *levels[6];
    unsigned depth;
    uint32_t size;
};

void gap_set_create(struct gap_set *s, uint32_t size); /* empty */
void gap_set_free(struct gap_set *s);
void gap_set_add(struct gap_set *s, uint32_t g);
void gap_set_remove(struct gap_set *s, uint32_t g);
uint32_t gap_set_next(const struct gap_set *s, uint32_t g); /* least member >= g, or NO_GAP */
uint32_t gap_set_last(const struct gap_set *s, uint32_t g); /* greatest member < g, or NO_GAP */

#endif

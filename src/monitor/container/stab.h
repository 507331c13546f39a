/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals that wait to be stabbed: every interval [from, to) of gaps is handed out once, when the
 * first gap inside it is stabbed. Intervals hang on the O(log n) nodes of a segment tree that make
 * them up; stabbing empties the nodes on one path from a leaf to the root. */
#ifndef MONITOR_STAB_H
#define MONITOR_STAB_H

#include <stdint.h>

struct stab_interval {
    uint32_t from, to; /* not empty */
    uint32_t item;
};

struct stab {
    uint32_t leaves; /* a power of two */
    uint32_t *start; /* per node: its items are items[start[node] .. start[node + 1]) */
    uint32_t *items;
    uint8_t *empty; /* per node: already handed out */
};

void stab_create(struct stab *s, uint32_t gaps, const struct stab_interval *intervals, uint32_t count);
void stab_free(struct stab *s);

/* Calls `found` for the items on the path of `gap` that were not handed out from these nodes before. An item
 * can be handed out by more than one of its nodes: the receiver ignores repetitions. */
void stab_gap(struct stab *s, uint32_t gap, void (*found)(void *context, uint32_t item, uint32_t gap),
              void *context);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* How many intervals cover each gap, under removal of intervals: a segment tree that adds on ranges
 * and finds a gap of least cover. */
#ifndef MONITOR_COVER_H
#define MONITOR_COVER_H

#include <stdint.h>

struct cover {
    uint32_t leaves; /* a power of two */
    int32_t *least;  /* per node: least count below it, including its own `added` */
    int32_t *added;  /* per inner node: added to everything below */
};

/* `counts[g]` for every gap. */
void cover_create(struct cover *c, const int32_t *counts, uint32_t gaps);
void cover_free(struct cover *c);

/* Takes one away from the count of every gap in [from, to). */
void cover_remove(struct cover *c, uint32_t from, uint32_t to);

/* Least count of all gaps that were not hidden. */
static inline int32_t cover_least(const struct cover *c)
{
    return c->least[1];
}

/* A gap with the least count; it is hidden from now on. */
uint32_t cover_hide_least(struct cover *c);

/* Intervals that wait to be stabbed: every interval [from, to) of gaps is handed out once, when the
 * first gap inside it is stabbed. Intervals hang on the O(log n) nodes of a segment tree that make
 * them up; stabbing empties the nodes on one path from a leaf to the root. */

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

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

#endif

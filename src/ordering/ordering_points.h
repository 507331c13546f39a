/* SPDX-License-Identifier: Apache-2.0 */
/* Ordering points and what happens before what, as an execution graph has them. */
#ifndef ORDERING_ORDERING_POINTS_H
#define ORDERING_ORDERING_POINTS_H

#include "graph/graph.h"
#include "ordering/ordering.h"

/* The point that a read or a write is. Both halves of an update are one point, a write. */
struct ordering_point ordering_point_of(const struct graph *g, uint32_t event);

/* When a call was in progress: events of its thread with an index in [begin, end) are within it. Begins and ends have
 * numbers of their own in their thread, as there may be no event between two of them. */
struct ordering_span {
    uint32_t thread, begin, end;
    uint32_t begin_number, end_number;
};

/* Row a, bit b: the begin of a happens before the end of b. */
void ordering_find_before(const struct graph *g, const struct ordering_span *spans, uint32_t count,
                          uint64_t *before);

#endif

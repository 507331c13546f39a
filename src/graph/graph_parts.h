/* SPDX-License-Identifier: Apache-2.0 */
/* What building a graph and restricting one share. */
#ifndef GRAPH_GRAPH_PARTS_H
#define GRAPH_GRAPH_PARTS_H

#include "graph/graph.h"

/* As graph_copy, with the clocks of the first events only. */
void graph_copy_some(struct graph *into, const struct graph *from, uint32_t clocks);

/* The access is one more, or (UINT32_MAX) one less. */
static inline void graph_count_access(struct graph *g, const struct graph_event *ev, uint32_t by)
{
    if (ev->order == ORDER_SEQ_CST)
        g->sc_accesses += by;
    else if (!g->locations[ev->location].mutex)
        g->weak_accesses += by;
}

#endif

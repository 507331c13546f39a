/* SPDX-License-Identifier: Apache-2.0 */
/* Why one event does not happen before another although it is a cause of it: the write and the read on the way that would have
 * to be release and acquire. */
#ifndef GRAPH_WEAK_LINK_H
#define GRAPH_WEAK_LINK_H

#include "graph/graph.h"

/* A write and the read that gets what it publishes, by itself or through updates that follow the write in mo. */
struct graph_weak_link {
    uint32_t write, read;
    bool write_is_weak, read_is_weak; /* not release, not acquire: at least one of them */
    uint32_t release_fence;           /* the fence that releases for the write, or GRAPH_NONE */
    uint32_t acquire_fence;           /* the fence that acquires for the read, or GRAPH_NONE */
    uint32_t count;                   /* of such links on the way, this one included, which is the first */
};

/* Of the ways from one event to another by program order, create, join and reads-from, the one with the fewest accesses that are
 * too weak, then with the fewest reads. The same for graphs that differ only in the order of insertion. False: there is no way
 * at all, or `from` happens before `to`. Uses the graph's scratch memory. */
bool graph_find_weak_link(const struct graph *g, uint32_t from, uint32_t to, struct graph_weak_link *link);

#endif

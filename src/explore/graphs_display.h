/* SPDX-License-Identifier: Apache-2.0 */
/* The running execution for display: its steps in an order that is easy to understand, and what its graph says about each. */
#ifndef EXPLORE_GRAPHS_DISPLAY_H
#define EXPLORE_GRAPHS_DISPLAY_H

#include "explore/port.h"
#include "graph/graph.h"

/* The running execution as explore_graphs_schedule has it, but in the order in which it is best shown: few reads of something
 * else than the newest write, few switches. `causes_only`: of an error in a step only that and what it depends on. 0: too long for
 * this, or for `room`. */
uint32_t explore_graphs_display_schedule(const struct explorer *e, bool causes_only,
                                         struct schedule_step *steps, uint32_t room);
/* In the order for display operation a returns before b is called, by bit b of row a (numbers below 64). Null: any order
 * will do. Must stay. */
void explore_graphs_set_client(struct explorer *e, const uint64_t *precedes);

/* What the graph says about a step of the running execution. Steps are numbered from 1 in the order in which they happened;
 * 0: the initial value, or nothing. */
struct graphs_relation {
    uint32_t thread;
    bool reads, writes;
    bool plain;      /* a plain write, not a step of its own */
    uint32_t source; /* reads: what it reads from */
    /* Reads, writes: the newest write of the location so far, this one included */
    uint32_t newest;
    uint32_t place; /* writes: in the modification order of the whole execution, from 1 */
    /* The last step of each thread that happens before it; its own: itself. */
    uint32_t before[GRAPH_THREADS_MAX];
};
uint32_t explore_graphs_step_count(const struct explorer *e);
uint32_t explore_graphs_step_of(const struct explorer *e, uint32_t event);               /* of the graph */
void explore_graphs_relate(const struct explorer *e, struct graphs_relation *relations); /* by number - 1 */

#endif

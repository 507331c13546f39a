/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before what in an execution graph, and whether one order of all its steps explains it: then it is sequentially
 * consistent. */
#ifndef GRAPH_CYCLES_H
#define GRAPH_CYCLES_H

#include "graph/graph.h"

enum graph_relation {
    RELATION_THREAD, /* program order, create, join */
    RELATION_READ_BY,
    RELATION_OVERWRITTEN_BY,
    RELATION_TOO_EARLY_FOR, /* from-read: reads a value that the other overwrites */
    RELATION_TOGETHER,      /* no order: both belong to one operation (graph/compare/conflicts.h) */
};

enum { GRAPH_CYCLE_MAX = 24 };

/* Each event is before the next one in that relation, and the last before the first. */
struct graph_cycle {
    uint32_t count; /* 0: it is too long */
    struct graph_cycle_step {
        uint32_t event;
        enum graph_relation relation;
    } steps[GRAPH_CYCLE_MAX];
};

typedef void graph_visit(void *context, uint32_t cause, enum graph_relation relation, uint32_t event);

/* Calls `visit` for what is directly before the event, but for initial values; steps that wait have not happened. The last part
 * of an access stands for all, and nothing is before the others. */
void graph_each_before(const struct graph *g, uint32_t e, graph_visit *visit, void *context);

/* Has the event happened, and is it more than an initial value? Of an access with parts: all of it. */
bool graph_has_happened(const struct graph *g, uint32_t e);

/* Is there an order of all events in which each read finds the newest write? `cycle` may be null; if there is none, it becomes
 * a short reason. Uses the graph's scratch memory. */
bool graph_is_sequential(const struct graph *g, struct graph_cycle *cycle);

/* Sections of code that no other thread may come between: a lock keeps other sections out, this finds out about steps that are in
 * none. */

/* Is there an order of all steps in which each read finds the newest write, and the steps of each section (from a lock of
 * the object at this address to its unlock, or to the end of what its thread has done) stand side by side? Uses the graph's
 * scratch memory. */
bool graph_sections_stand(const struct graph *g, uint64_t lock);

#endif

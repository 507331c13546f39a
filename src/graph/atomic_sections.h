/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of code that no other thread may come between: a lock keeps other sections out, this finds out about steps that are in
 * none. */
#ifndef GRAPH_ATOMIC_SECTIONS_H
#define GRAPH_ATOMIC_SECTIONS_H

#include "graph/graph.h"

/* Is there an order of all steps in which each read finds the newest write, and the steps of each section (from a lock of
 * the object at this address to its unlock, or to the end of what its thread has done) stand side by side? Uses the graph's
 * scratch memory. */
bool graph_sections_stand(const struct graph *g, uint64_t lock);

#endif

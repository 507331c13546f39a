/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that do the same: executions that differ only in which of them did what are one execution, and one of
 * them is enough. Two threads are twins when one thread created them right after each other from the same description.
 * The twin created first is the elder. docs/internals/graphs.md has the rules and why they are right. */
#ifndef GRAPH_TWINS_H
#define GRAPH_TWINS_H

#include "graph/graph.h"

/* CREATE: `operand` describes the thread (0: it is like no other); `expected` is GRAPH_NOTHING_BETWEEN if the creator
 * did nothing that could be noticed since its event before. */
enum { GRAPH_NOTHING_BETWEEN = 1 };

uint32_t graph_elder_twin(const struct graph *g, uint32_t thread);   /* GRAPH_NONE: there is none */
uint32_t graph_younger_twin(const struct graph *g, uint32_t thread); /* GRAPH_NONE: there is none */

/* For completing an event: the elder twin's step at the same place is a cause of it, if both did the same before. */
void graph_follow_twin(struct graph *g, uint32_t e);

/* Where twins differ for the first time, the elder one reads or writes what is earlier in co. */
bool graph_is_after_twin(const struct graph *g, uint32_t e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that do the same: executions that differ only in which of them did what are one execution, and one of
 * them is enough. Two threads are twins when one thread created them right after each other from the same description.
 * The twin created first is the elder. docs/internals/explore/graphs.md has the rules and why they are right. */
#ifndef GRAPH_TWINS_H
#define GRAPH_TWINS_H

#include "graph/graph.h"

/* CREATE: `operand` describes the thread (0: it is like no other); `expected` is GRAPH_NOTHING_BETWEEN if the creator
 * did nothing that could be noticed since its event before. */
enum { GRAPH_NOTHING_BETWEEN = 1 };

uint32_t graph_elder_twin(const struct graph *g, uint32_t thread);   /* GRAPH_NONE: there is none */
uint32_t graph_younger_twin(const struct graph *g, uint32_t thread); /* GRAPH_NONE: there is none */

/* The event that created the thread, or the eldest of its twins: what they know at first is the same. */
uint32_t graph_first_create(const struct graph *g, uint32_t thread);

/* Of two steps with the same operation: will they find the same answer (does it write, does it wait) in the same value? */
bool graph_is_same_question(enum operation o, event_word operand, event_word expected,
                            event_word other_operand, event_word other_expected);

/* For completing an event: the elder twin's step at the same place is a cause of it, if both did the same before. And its
 * depth, the longest way to it by program order, reads-from, create and join (names of twins do not matter for it). */
void graph_follow_twin(struct graph *g, uint32_t e);

/* The elder twin's event at the place of e, if both did the same before and do the same step now, or GRAPH_NONE. */
uint32_t graph_twin_event(const struct graph *g, uint32_t e);

/* Where twins differ for the first time, the elder one reads what is less deep, or earlier in mo; writes earlier in mo. */
bool graph_is_after_twin(const struct graph *g, uint32_t e);
/* Would read e, which has a twin, be if it read from w? */
bool graph_would_be_after_twin(const struct graph *g, uint32_t e, uint32_t w);
/* What read e, which has a twin, can always read when the last write in mo would not be after the twin: the same as
 * the twin or, if that updates, the end of the chain of updates that it began. Of events up to e and `causes`; null: of all. */
uint32_t graph_source_like_twin(const struct graph *g, uint32_t e, const int16_t *causes);

#endif

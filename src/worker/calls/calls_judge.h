/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications in comments: the annotated calls of an execution (rt/calls/calls.h) against the order of their points, their
 * conditions and the rules of synchronization. docs/internals/judge/annotations.md. */
#ifndef WORKER_CALLS_JUDGE_H
#define WORKER_CALLS_JUDGE_H

#include "engine/shared/protocol.h"
#include "graph/graph.h"

/* The execution is complete, or all of its threads wait forever, as they may. `g`: its graph; null: it was a schedule. Ends the
 * worker when the calls contradict their specification. */
void calls_judge(struct worker_shared *shared, const struct graph *g);

/* Nothing was counted: the exploration begins again. */
void calls_recount(struct worker_shared *shared);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What other checkers would say about the executions of a test (config.compare), counted in the shared memory. */
#ifndef WORKER_COMPARE_H
#define WORKER_COMPARE_H

#include "engine/shared/protocol.h"
#include "graph/graph.h"

/* One that ended, or is stuck. `linearizable`: it is known to be. */
void compare_execution(struct worker_shared *s, const struct graph *g, bool linearizable);

/* The exploration begins again: nothing was counted. */
void compare_recount(struct worker_shared *s);

#endif

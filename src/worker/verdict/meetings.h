/* SPDX-License-Identifier: Apache-2.0 */
/* Do operations of different threads ever have anything to do with each other? A test in which they do not cannot fail. */
#ifndef WORKER_MEETINGS_H
#define WORKER_MEETINGS_H

#include "engine/shared/protocol.h"
#include "graph/graph.h"

/* Looks at an execution, until one is found in which two operations of different threads conflict: both access a location,
 * and one of them writes. Plain accesses need no look: where they conflict, something else orders them, or they race. */
void meetings_look(struct worker_shared *shared, const struct graph *g);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the first thread does before it creates others, and after it has joined all of them.
 *
 * In a consistent graph all of the former happens before everything else, and all of the latter after it. So coherence lets no
 * relation (reads-from, mo, from-reads, happens-before) lead from the rest to what comes first, or from what comes last to the
 * rest: a cycle that gets closed by more synchronization within the rest has no event of either. Objects that fill a table of a
 * thousand atomics when they are made, and look at it again when they are destroyed, are large graphs for this reason only. */
#ifndef GRAPH_GRAPH_SERIAL_H
#define GRAPH_GRAPH_SERIAL_H

#include "graph/graph.h"

/* For each event: may it be left out when synchronization between others is added? Notes stay, and the writes that others may
 * read. */
bool *graph_find_serial(const struct graph *g);

#endif

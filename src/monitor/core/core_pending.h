/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a core that never returned, or only after the violation was certain. */
#ifndef MONITOR_CORE_PENDING_H
#define MONITOR_CORE_PENDING_H

#include "monitor/deciders.h"

/* Of a container: pending removals beyond the number of items that they could take. Of several the earliest stay, which
 * can do whatever the later ones can. */
void core_drop_surplus_removals(struct part *p);

typedef VEC(uint32_t) core_ops; /* indices into the history */

/* If there are more than a few optional operations: takes those out of the violated `*core` (it is replaced), and adds them
 * to `left_out`, without which it is legal up to its last return all the same, and from which the answer of that does
 * not seem to come. What is left is violated, too: it has fewer ways out. That the core is violated *with* them has to be
 * established before. */
void core_leave_out(struct part *core, const void *initial, struct budget *budget, core_ops *left_out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* From "an algorithm says violated" to a violation that can be shown: shrink, confirm, explain. */
#ifndef MONITOR_VIOLATION_H
#define MONITOR_VIOLATION_H

#include "monitor/deciders.h"
#include "monitor/monitor.h"

/* `d->core` of `p` was found by the algorithm called `found_by` (`fast`, or the general search when null).
 * Null when no second route could confirm it within the budget. */
struct monitor_violation *violation_build(const struct part *p, decider *fast, const char *found_by,
                                          const struct decision *d, struct budget *budget);
void violation_free(struct monitor_violation *v);

/* why.c: the sentence for a minimal core, and the guilty operation (index in `core`). The sentence is the caller's;
 * *guilty comes in as the best guess.
 * `later_start`: the core starts from a state of its own. `stuck`: the operation at which the longest legal order ends (or UINT32_MAX); `stuck_why` what is wrong there. */
char *why_sentence(const struct part *core, bool later_start, uint32_t stuck, const char *stuck_why,
                   uint32_t *guilty);

#endif

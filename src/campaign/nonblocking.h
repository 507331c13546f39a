/* SPDX-License-Identifier: Apache-2.0 */
/* --progress: after an exploration in which nothing was found, another one in which a thread may stop forever, and the others have to
 * end all the same. docs/internals/explore/progress.md */
#ifndef CAMPAIGN_NONBLOCKING_H
#define CAMPAIGN_NONBLOCKING_H

#include "campaign/campaign_run.h"

/* Where threads may stop: after how many of the events that others can observe, by thread. */
struct nonblocking_plan {
    uint32_t threads;
    uint16_t stops[PROTOCOL_GRAPH_THREADS];
};

/* From an exploration in which none stops. */
struct nonblocking_plan nonblocking_plan_after(struct target_worker *const *workers, uint64_t jobs);

/* The options of the exploration in which threads stop. The plan has to last as long. */
struct campaign_options nonblocking_options(const struct campaign_options *o,
                                            const struct nonblocking_plan *plan);

/* Workers did what the plan says, and it was enough: no thread that went on could have stopped in more places. */
bool nonblocking_was_covered(const struct nonblocking_plan *plan, struct target_worker *const *workers,
                             uint64_t jobs);

/* Is there anything to be said against *holds*? */
bool nonblocking_is_clean(const struct campaign_result *r);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/nonblocking.h"

static uint16_t most_published(struct target_worker *const *workers, uint64_t jobs, uint32_t thread)
{
    uint16_t most = 0;
    for (uint64_t k = 0; k < jobs; k++) {
        uint16_t count = target_shared(workers[k])->published[thread];
        most = count > most ? count : most;
    }
    return most;
}

struct nonblocking_plan nonblocking_plan_after(struct target_worker *const *workers, uint64_t jobs)
{
    struct nonblocking_plan plan = {0};
    for (uint32_t t = 0; t < PROTOCOL_GRAPH_THREADS; t++) {
        plan.stops[t] = most_published(workers, jobs, t);
        if (plan.stops[t])
            plan.threads = t + 1;
    }
    return plan;
}

bool nonblocking_was_covered(const struct nonblocking_plan *plan, struct target_worker *const *workers,
                             uint64_t jobs)
{
    for (uint32_t t = 0; t < PROTOCOL_GRAPH_THREADS; t++)
        if (most_published(workers, jobs, t) > plan->stops[t])
            return false;
    return true;
}

/* Of several threads that do the same only one stops: these are no twins. */
struct campaign_options nonblocking_options(const struct campaign_options *o,
                                            const struct nonblocking_plan *plan)
{
    struct campaign_options again = *o;
    again.stops = plan;
    again.symmetry = again.opaque_items = again.wants_estimate = false;
    again.observations = NULL;
    again.estimate = again.estimate_error = 0;
    return again;
}

bool nonblocking_is_clean(const struct campaign_result *r)
{
    return !r->found && !r->failed && !r->failing && !r->timed_out && !r->judging_was_stuck &&
           !(r->limits & ~(uint32_t)LIMITS_NAMED_ONLY);
}

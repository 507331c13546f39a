/* SPDX-License-Identifier: Apache-2.0 */
/* Tests with loops that seem to have no end: explored with a few rounds, within a little time for each (campaign/bounding.h). */
#ifndef AUTOTEST_AUTO_BOUNDED_H
#define AUTOTEST_AUTO_BOUNDED_H

#include "autotest/auto_run.h"
#include "campaign/bounding.h"

struct auto_bounded {
    struct bounding next;
    double until;              /* base_now() at which the exploration that runs is stopped */
    char place[256];           /* of the loop */
    bool has_before;           /* there is an answer already */
    struct auto_result before; /* of the last exploration that was done */
};

/* The exploration of a test that has ended, if it did so because of such a loop; or null. `*spent` are the seconds that such tests
 * have taken so far. */
struct auto_bounded *auto_bounded_begin(const struct target_worker *worker, double spent);

/* Before an exploration starts. */
void auto_bounded_plan(struct auto_bounded *b, struct target_run *run);

/* One has ended, that took so long. */
enum bounding_answer auto_bounded_next(struct auto_bounded *b, const struct target_worker *worker,
                                       double seconds);

/* The answer for such a test, unless there is an error. */
void auto_bounded_say(const struct worker_shared *s, struct auto_result *result);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule that was found by chance has switches that do not matter: another one with the same error and fewer of them. */
#ifndef CAMPAIGN_SHRINK_SCHEDULE_H
#define CAMPAIGN_SHRINK_SCHEDULE_H

#include "target/target.h"

struct shrunk_schedule {
    struct target_worker *worker; /* that has run it; null: there is none with fewer switches */
    uint32_t from, to;            /* switches */
};

/* `found` ended with an error, in a schedule of interleavings. Ends at `deadline` (base_now(); 0: never) at the latest. */
struct shrunk_schedule shrink_schedule(const struct target_program *program,
                                       const struct target_worker *found, double deadline);

#endif

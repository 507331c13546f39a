/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/campaign_mistake.h"

#include <stdio.h>

void campaign_mistake(struct diagnostic *out, const char *name, const struct target_worker *worker)
{
    const struct worker_shared *s = target_shared(worker);
    const struct target_end *end = target_end_of(worker);
    if (*s->config.spec_library && end->state == WORKER_JUDGING) {
        diagnostic_set(out, PL_SPEC_FAILED, 0, 0, "%s", end->message);
        snprintf(out->file, sizeof out->file, "%.*s", (int)sizeof out->file - 1, s->config.spec);
        return;
    }
    bool is_harness = s->is_harness || *s->config.test || *s->config.quasi || s->config.list;
    bool placed = *s->refused_file;
    diagnostic_set(out, is_harness ? PL_HARNESS : PL_CANNOT_RUN, placed ? s->refused_line : 0, 0, "%s",
                   end->message);
    snprintf(out->file, sizeof out->file, "%s", placed ? s->refused_file : name);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Of a test that is not linearizable: is it right by the weak variant of its specification, whose operations may fail in every state? */
#ifndef CAMPAIGN_UNDER_WEAK_H
#define CAMPAIGN_UNDER_WEAK_H

#include "campaign/campaign_confirm.h"
#include "campaign/campaign_run.h"

struct under_weak {
    /* By which the test holds, such as "queue(weak)"; empty: it does not, or that is not known */
    char spec[128];
    uint64_t executions; /* that were judged by it */
};

/* `error`: as confirmed; not asked where none of its operations has failed. `judges`: the specification (worker_shared.judges). `left`: seconds before
 * --time is over. */
void under_weak_ask(const struct target_program *program, const struct campaign_options *options,
                    const struct confirmed *error, const char *judges, double left, struct under_weak *out);

/* "Judged as queue(weak), ... the test holds (all 7 executions)." Adds nothing when it does not. */
void under_weak_add_text(const struct under_weak *weak, struct text *out);

#endif

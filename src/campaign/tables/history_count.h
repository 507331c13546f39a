/* SPDX-License-Identifier: Apache-2.0 */
/* --count-histories: a second run, which stops at nothing, counts the different histories of a test. */
#ifndef CAMPAIGN_HISTORY_COUNT_H
#define CAMPAIGN_HISTORY_COUNT_H

#include "base/json_writer.h"
#include "base/text.h"
#include "campaign/campaign_run.h"

struct history_count {
    struct worker_counted counted;
    bool is_known;   /* they were counted */
    bool is_partial; /* not all executions could be run: there may be more */
    bool had_errors; /* executions with errors of other kinds have no history */
    double seconds;
};

/* False: these options do not go together with it. */
bool history_count_fits(const struct campaign_options *options, struct diagnostic *why);

void history_count_run(const struct target_program *program, const struct campaign_options *options,
                       double start, struct history_count *out);

/* "histories: 476 (274 not linearizable)" */
void history_count_add_text(const struct history_count *c, const struct campaign_options *options,
                            struct text *out);
void history_count_add_json(const struct history_count *c, struct json_writer *w);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* --count-histories: a second run, which stops at nothing, counts the different histories of a test. */
#ifndef CLI_CHECK_COUNT_H
#define CLI_CHECK_COUNT_H

#include "base/json_writer.h"
#include "base/text.h"
#include "cli/check_run.h"

struct check_count {
    struct worker_counted counted;
    bool is_known;   /* they were counted */
    bool is_partial; /* not all executions could be run: there may be more */
    bool had_errors; /* executions with errors of other kinds have no history */
    double seconds;
};

/* Not EXIT_HOLDS: these options do not go together with it, which was said on stderr. */
enum cli_exit check_count_fits(const struct check_options *options);

void check_count_run(const struct target_program *program, const struct check_options *options, double start,
                     struct check_count *out);

/* "histories: 476 (274 not linearizable)" */
void check_count_add_text(const struct check_count *c, const struct check_options *options, struct text *out);
void check_count_add_json(const struct check_count *c, struct json_writer *w);

#endif

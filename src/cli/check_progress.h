/* SPDX-License-Identifier: Apache-2.0 */
/* The line on the terminal while workers run, and how estimates read. */
#ifndef CLI_CHECK_PROGRESS_H
#define CLI_CHECK_PROGRESS_H

#include "base/json_writer.h"
#include "cli/check_run.h"
#include "cli/check_saving.h"

struct check_progress {
    const struct check_options *options;
    struct target_worker *const *workers;
    double started;
    bool shown; /* on a terminal, and nobody asked for quiet */
};

/* Before anything is run: estimates the number of executions if somebody wants to see it, in a process of its own, so that
 * nothing else depends on it. */
void check_progress_estimate(const struct target_program *program, struct check_options *options);

struct check_progress check_progress_start(const struct check_options *options,
                                           struct target_worker *const *workers);
void check_progress_show(const struct check_progress *p, const struct check_saving *saving);
void check_progress_end(const struct check_progress *p);

/* How many executions there are, on stderr, when not all were run; and as a member of the JSON document. */
void check_progress_print_estimate(const struct check_result *r);
void check_progress_add_json(struct json_writer *w, const struct check_result *r);

#endif

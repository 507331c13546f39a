/* SPDX-License-Identifier: Apache-2.0 */
/* The line on the terminal while workers run, and how estimates read. */
#ifndef CLI_CHECK_PROGRESS_H
#define CLI_CHECK_PROGRESS_H

#include "base/text.h"
#include "cli/check_run.h"
#include "cli/check_saving.h"

struct check_progress {
    const struct check_options *options;
    struct target_worker *const *workers;
    double started;
    bool shown; /* on a terminal, and nobody asked for quiet */
};

struct check_progress check_progress_start(const struct check_options *options,
                                           struct target_worker *const *workers);
void check_progress_show(const struct check_progress *p, const struct check_saving *saving);
void check_progress_end(const struct check_progress *p);

/* "roughly 420000 in all (310000 to 530000)"; more than that were done: "more than 500000 in all". */
void check_progress_add_estimate(struct text *t, uint64_t done, double estimate, double error);

/* As a whole number that fits. */
uint64_t check_progress_whole(double number);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* One program under test, from files to outcome: what `plumb check` and `plumb replay` share. */
#ifndef CLI_CHECK_RUN_H
#define CLI_CHECK_RUN_H

#include "cli/command.h"
#include "target/target.h"

struct check_options {
    int mode; /* position in the words of --mode; enum worker_mode */
    uint64_t runs, seed, jobs, preemptions, steps, depth;
    const char *test, *spec, *json, *trace;
    double time;
    int color;
    bool leaks, quiet, verbose;
};

struct check_result {
    struct target_worker *found; /* the worker whose shared memory has the error, or null */
    uint64_t executions, complete, blocked, cut, steps;
    uint32_t limits;              /* enum worker_limit bits of all workers */
    struct target_worker *failed; /* one that ended badly (stuck, lost, broken, unfit, unseen), or null */
    bool timed_out;
};

/* Starts `options->jobs` workers on the program, waits for them and adds up. The workers stay in `workers` (jobs
 * of them), to be freed by the caller. False after a diagnostic on stderr. */
bool check_run(const struct target_program *program, const struct check_options *options,
               struct target_worker **workers, struct check_result *result);

#endif

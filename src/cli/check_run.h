/* SPDX-License-Identifier: Apache-2.0 */
/* One program under test, from files to outcome: what `plumb check` and `plumb replay` share. */
#ifndef CLI_CHECK_RUN_H
#define CLI_CHECK_RUN_H

#include "cli/check_options.h"
#include "target/target.h"

/* A worker without progress for so long is given up. It watches itself by the processor time it gets; on a busy
 * machine that takes a while. */
enum { CHECK_STALL_SECONDS = 30 };

struct check_result {
    struct target_worker *found; /* the worker whose shared memory has the error, or null */
    uint64_t executions, complete, blocked, refuted, folded, cut, steps, undecided, revisits;
    double estimate, estimate_error; /* executions in all, by sampling; 0: not known */
    uint64_t failing;                /* all_errors: executions with an error */
    bool findings_lost;              /* there were more causes than are kept */
    struct worker_compared compared;
    uint32_t limits;                 /* enum worker_limit bits of all workers */
    const struct target_end *failed; /* a worker that ended badly (stuck, lost, broken, unfit), or null */
    uint64_t failed_worker;          /* its number, from 0 */
    bool timed_out;
    const struct worker_shared *unsupported; /* the memory that names something unsupported, or null */
    char unsupported_before[128];            /* the same, in a run that this one went on from */
    const struct worker_shared
        *unpredictable; /* the memory that names an answer that depends on a clock, or null */
    const struct worker_shared *bounded; /* the memory that names a loop that was cut, or null */
    bool judging_was_stuck;              /* our own code took too long; not the program's fault */
};

/* How many of the words are ours: those behind "--" are the compiler's. */
int check_own_words(int count, char *const *words);
struct target_source check_source(const struct operand_list *files, int count, char *const *words);

/* Says why there is no program to run; what to end with. */
enum cli_exit check_cannot(const struct diagnostic *why);

/* How long a worker of that sort may be without progress. */
double check_stall_seconds(const struct worker_config *c);

/* Worker number k of n takes its share of the runs; all executions are shared as they are found. */
struct target_run check_plan(const struct check_options *o, uint64_t k);

/* Starts `options->jobs` workers on the program, waits for them and adds up. The workers stay in `workers`
 * (at most jobs of them, the rest null), to be freed by the caller. Not EXIT_HOLDS: after a diagnostic on stderr. */
enum cli_exit check_run(const struct target_program *program, const struct check_options *options,
                        struct target_worker **workers, struct check_result *result);

#endif

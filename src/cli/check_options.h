/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `plumb check`: what they are, and which go together. */
#ifndef CLI_CHECK_OPTIONS_H
#define CLI_CHECK_OPTIONS_H

#include "cli/command.h"
#include "cli/report_files.h"

/* The words of --memory. */
#define CHECK_MEMORY_MODELS "rc11|sc|tso"

/* No --seed was given. */
#define CHECK_NO_SEED UINT64_MAX

/* The positions of the words of --races. */
enum check_races { CHECK_RACES_STOP, CHECK_RACES_REPORT, CHECK_RACES_ALLOW };

struct check_options {
    int mode; /* position in the words of --mode; enum worker_mode */
    uint64_t runs, seed, jobs, executions, preemptions, steps, depth, loops, memory_limit;
    const char *test, *init, *final, *spec, *quasi, *golden, *golden_define, *observations;
    const char *json, *trace, *checkpoint, *nondet;
    struct report_paths files;
    const char *serials_in; /* not an option: what the golden implementation answered */
    double time, compute;
    int color;
    int client; /* position in the words of --client */
    int memory; /* position in the words of --memory */
    bool all_errors, leaks, spurious, weak_cas, reuse, fold, symmetry, quiet, verbose, count_histories;
    double estimate,
        estimate_error; /* not options: of the number of executions, before they are run; 0: not known */
    int count;          /* not an option: enum worker_count */
    bool all_seq_cst;   /* not an option: schedules instead of the graphs of sc (check_interleave.h) */
    int races;          /* enum check_races */
    int uninitialized;  /* position in the words of --uninitialized: 1 is all */
    int volatiles;      /* position in the words of --volatile: 1 is relaxed */
    struct operand_list suppress; /* rules, or files with rules: suppress.h */
    bool compare, report_weak;
};

extern const struct check_options check_options_default;

/* Chooses the mode, runs and seed if none were asked for. Not EXIT_HOLDS: these do not go together, which was said on stderr. */
enum cli_exit check_options_fit(struct check_options *o);

const char *check_memory_name(const struct check_options *o);

/* Do executions go on after a race, all or some of them, and plain accesses count as relaxed atomics? */
bool check_goes_on(const struct check_options *o);
/* Is more than the first error asked for? */
bool check_lists_errors(const struct check_options *o);

#endif

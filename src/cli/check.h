/* SPDX-License-Identifier: Apache-2.0 */
/* One run of `plumb check` on a program: its state, and the parts that conclude and tell. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "base/text.h"
#include "base/vec.h"
#include "cli/check_run.h"
#include "cli/check_sc.h"
#include "report/counterexample.h"

struct check {
    struct check_options options;
    struct report_style style;
    struct operand_list files;
    struct target_source source;
    struct target_program *program;
    struct target_worker *workers[64];
    struct check_result result;
    struct confirmation confirmation; /* of result.found */
    struct check_sc sc;
    const char *verdict;
    VEC(char *) limits;  /* why it is inconclusive, and what was not tried */
    struct text failure; /* why there is no verdict */
    char *trace;         /* file that was written, or null */
};

/* Was an error found and seen again? */
bool check_is_violated(const struct check *c);

/* What one of the bits (enum worker_limit) means, which is taken away. Null: none of them has a text that says it all. */
const char *check_next_limit(uint32_t *bits);

/* Builds, runs, confirms and tells: everything but the options. */
enum cli_exit check_program(struct check *c);
void check_free(struct check *c);

/* The verdict, and the limits that belong to it. */
enum cli_exit check_conclude(struct check *c);

/* The number of the execution with the error, from 1; of shared explorations: by the time when it was found. */
uint64_t check_guilty_execution(const struct check *c);

/* The result as text, on stdout. */
void check_print(struct check *c);

/* The result as a JSON document, in the file asked for. False: after a diagnostic. */
bool check_write_json(const struct check *c, double seconds);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* One run of `plumb check` on a program: its state, and the parts that conclude and tell. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "base/json_writer.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/check_count.h"
#include "cli/check_run.h"
#include "cli/check_scope.h"
#include "cli/check_sc.h"
#include "cli/suppress.h"
#include "report/counterexample.h"

/* An error that was found, or several with the same cause. */
struct check_error {
    const struct target_worker *worker;   /* who found it */
    const struct worker_finding *finding; /* of its findings; null: the one it ended with */
    const struct worker_error *error;
    char *cause;         /* as text; only for findings */
    uint64_t number;     /* of the execution that is told; 0: not known */
    uint64_t executions; /* with it */
    uint64_t choices;    /* of that one */
    uint64_t steps;
    struct confirmation confirmation;
    struct check_sc sc;
    char *trace; /* file that was written, or null */
};

/* The tests that the one of this check was found among, by plumb auto. */
struct check_tests {
    const char *limits; /* what limits the verdict on all of them, or null */
    void (*add_json)(struct json_writer *w, const void *context); /* members of the document */
    const void *context;
};

struct check {
    struct check_options options;
    struct report_style style;
    struct operand_list files;
    struct target_source source;
    struct target_program *program;
    struct target_worker *workers[64];
    struct check_result result;
    struct check_count count;
    const struct check_tests *tests; /* or null */
    VEC(struct check_error) errors;  /* those that were confirmed come first */
    struct suppressions suppressions;
    size_t errors_untold; /* causes beyond those */
    bool is_partial;      /* violated, and executions that were asked for are missing */
    const char *command;  /* in documents; null: check */
    const char *verdict;
    VEC(char *) limits;       /* why it is inconclusive, and what was not tried */
    struct check_scope scope; /* what the verdict is about; empty where that is not said */
    struct text failure;      /* why there is no verdict */
    struct diagnostic unfit;  /* and where, if that is the harness' or the program's fault */
    const char *observations; /* the file for serial histories that was asked for, or null */
    char *assembly;           /* atomic instructions that are not announced: nothing was run; or null */
    char *interleaved;        /* why interleavings were run instead of graphs, or null */
};

/* Was an error found and seen again? */
bool check_is_violated(const struct check *c);

/* What one of the bits (enum worker_limit) means, which is taken away. Null: none of them has a text that says it all. */
const char *check_next_limit(uint32_t *bits);

/* Which answer depends on a clock or on addresses, and who asked for that. */
char *check_describe_unpredictable(const struct worker_shared *s);

/* Builds, runs, confirms and tells: everything but the options. */
enum cli_exit check_program(struct check *c);
void check_free(struct check *c);

/* The verdict, and the limits that belong to it. */
enum cli_exit check_conclude(struct check *c);

/* How many errors were confirmed. */
size_t check_count_confirmed(const struct check *c);

/* Adds what is said about an error. */
void check_add_error(struct text *out, const struct check *c, const struct check_error *e,
                     const struct report_style *style);

/* The result as text, on stdout. */
void check_print(struct check *c);

/* The result as a JSON document, in the file asked for. False: after a diagnostic. */
bool check_write_json(const struct check *c, double seconds);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* One run of `plumb auto`: its state, and the parts that make tests, run them and tell. */
#ifndef CLI_AUTOMATIC_H
#define CLI_AUTOMATIC_H

#include "base/json_writer.h"
#include "cli/auto_compare.h"
#include "cli/auto_run.h"
#include "cli/auto_tests.h"
#include "cli/check_options.h"
#include "target/build.h"

#include <stdio.h>

/* No --samples was given. */
#define AUTO_NO_SAMPLES UINT64_MAX

struct auto_options {
    struct check_options check;
    const char *size, *random, *calls, *table, *reproduce, *shard, *observations;
    uint64_t samples, seed;
    double test_time;
    bool all;
};

struct automatic {
    struct auto_options options;
    struct operand_list files;
    struct target_source source;
    struct target_program *program, *golden;
    struct auto_size size;
    auto_calls calls;
    char *assembly;  /* atomic instructions that are not announced: nothing was run; or null */
    char *call_text; /* owns the calls */
    uint64_t shard, shards;
    uint32_t single_roles; /* of the harness: for one thread */
    bool is_unspecified;   /* the harness declares no object */
    uint32_t small_calls;  /* the first so many are those that small tests are made of */

    struct auto_enumeration enumeration;
    uint64_t number;  /* of the next test */
    uint64_t sampled; /* --random: so many */
    bool is_larger;   /* small ones are done */
    uint64_t larger_from;
    struct {
        uint64_t tests, executions, partly;
        char *why; /* the first of them is not run as a whole */
    } larger;
    uint64_t could_meet, met; /* tests with several threads; those in which their operations conflicted */
    uint64_t stuck;           /* tests with serial runs that wait for ever */
    char *stuck_test;
    uint64_t passed, failed, unknown, executions;
    double total; /* tests in all */
    uint32_t limits;
    struct auto_compared compared;
    struct check_scope scope;
    struct suppressions *suppressions;
    char *failing; /* the first that failed */
    uint64_t failing_number;
    char *unknown_test, *unknown_why;
    struct auto_result broken; /* a result that is no verdict */
    FILE *table;
    double started, shown;
    bool timed_out;
};

/* Reads sizes and shares, opens the table. Not EXIT_HOLDS: these options do not go together, which was said on stderr. */
enum cli_exit auto_options_fit(struct automatic *a);

/* The calls that tests are made of: those of --calls, or the harness'. */
enum cli_exit auto_find_calls(struct automatic *a);

/* How one test is run. */
struct auto_runner auto_make_runner(const struct automatic *a);

/* Before the first test, when the calls are known; then struct auto_runner's `next`. */
void auto_begin_sequence(struct automatic *a);
const char *auto_next_test(void *context, uint64_t *number);

/* What there is to say besides the verdict, a sentence each. */
typedef VEC(char *) auto_notes;
auto_notes auto_take_notes(const struct automatic *a);
void auto_print_notes(const struct automatic *a);
void auto_add_json_notes(struct json_writer *w, const struct automatic *a);

/* Test number `number` (from 0) once more: only texts are kept. */
struct auto_test auto_make_again(const struct automatic *a, uint64_t number);

/* "9 tests up to 2x2, 120 executions", and what was left out and why, each behind a semicolon. */
void auto_add_counts(struct text *t, const struct automatic *a);
void auto_add_reasons(struct text *t, const struct automatic *a);
/* The same numbers, and what was compared, as members of the JSON document. */
void auto_add_json_counts(struct json_writer *w, const struct automatic *a);

/* The result when no test failed, and when one did: that one is shrunk. */
enum cli_exit auto_tell_passed(struct automatic *a);
enum cli_exit auto_tell_failed(struct automatic *a);

/* What --compare and --report-weak have found, on stdout. */
void auto_print_compared(const struct automatic *a);

#endif

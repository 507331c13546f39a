/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of a harness: made, run, and one that fails shrunk and written out. What `plumb auto` asks. */
#ifndef AUTOTEST_AUTOTEST_H
#define AUTOTEST_AUTOTEST_H

#include "autotest/auto_compare.h"
#include "autotest/auto_holding.h"
#include "autotest/auto_run.h"
#include "autotest/auto_shrink.h"
#include "autotest/auto_tests.h"
#include "target/build.h"

/* No --samples was given. */
#define AUTO_NO_SAMPLES UINT64_MAX

struct auto_options {
    struct campaign_options campaign;
    const char *size, *random, *calls, *table, *reproduce, *observations;
    struct campaign_shard shard; /* of the tests, not of the executions of each */
    uint64_t samples, seed;
    double test_time;
    bool all;
};

/* Every test of at most two calls, with unusual values. */
struct auto_unusual {
    struct auto_enumeration enumeration;
    struct auto_test test;
    uint32_t left; /* ways to give it such values */
};

struct autotest {
    /* What is asked. */
    struct auto_options options;
    struct operand_list files;
    struct target_source source;
    struct auto_size size;
    uint64_t shard, shards;
    void (*test_done)(const struct autotest *a, uint64_t number, const char *test,
                      const struct auto_result *r);
    void (*tick)(void *autotest); /* about ten times a second */

    /* What tests are made of. */
    struct target_program *program, *golden;
    auto_calls calls;
    char *call_text; /* owns the calls */
    auto_holdings holdings;
    uint32_t single_roles; /* of the harness: for one thread */
    bool is_unspecified;   /* the harness declares no object */
    uint32_t small_calls;  /* the first so many are those that small tests are made of */
    struct auto_enumeration enumeration;
    struct auto_unusual unusual; /* small tests with other values, after those */
    bool only_usual;             /* without these */
    char *values;                /* what is said of elements (PLUMB_VALUES, --values); empty: nothing */
    uint64_t number;             /* of the next test */
    uint64_t sampled;            /* --random: so many */
    bool is_larger;              /* small ones are done */
    uint64_t larger_from;
    double total; /* tests in all */
    double started;

    /* The answer. */
    enum verdict verdict;
    enum verdict answer; /* the same, if other shards say so, too */
    uint64_t passed, failed, unknown, executions;
    uint64_t stopped; /* --progress: further executions, in which a thread may stop */
    uint32_t limits;
    bool timed_out;
    bool has_lost;  /* a test whose process was killed from outside */
    char *assembly; /* atomic instructions that are not announced: nothing was run; or null */
    char *failing;  /* the first that failed */
    uint64_t failing_number;
    double failing_seconds; /* that it took */
    char *smallest;         /* the smallest one that fails, made from it */
    bool needs_unusual;     /* with usual values it does not */
    struct auto_shrinking shrinking;
    char *unknown_test, *unknown_why;
    uint64_t bounded;        /* tests with loops that seem to have no end, */
    VEC(char *) loop_places; /* which are here */
    struct {
        uint64_t tests, executions, partly;
        char *why; /* the first of them is not run as a whole */
    } larger;
    /* Tests with several threads; those in which their operations conflicted */
    uint64_t could_meet, met;
    uint64_t stuck; /* tests with serial runs that wait forever */
    char *stuck_test;
    struct auto_compared compared;
    struct verdict_scope scope;
    struct suppressions suppressions;
};

/* Builds, makes tests, runs them, and shrinks the first that fails. False: there is no verdict. */
bool autotest_decide(struct autotest *a, struct diagnostic *why);
/* The same in two steps: the first builds and finds the calls. */
bool autotest_prepare(struct autotest *a, struct diagnostic *why);
bool autotest_decide_prepared(struct autotest *a, struct diagnostic *why);
void autotest_free(struct autotest *a);

/* The calls that tests are made of: those of --calls, or the harness'. */
bool auto_find_calls(struct autotest *a, struct diagnostic *why);

/* How one test is run. */
struct auto_runner auto_make_runner(const struct autotest *a);

/* Before the first test, when the calls are known; then struct auto_runner's `next`. */
void auto_begin_sequence(struct autotest *a);
const char *auto_next_test(void *context, uint64_t *number);

/* Test number `number` (from 0) once more: only texts are kept. */
struct auto_test auto_make_again(const struct autotest *a, uint64_t number);

/* Writes a file that fails by itself, with the smallest test. The command for it; null when none could be made: `why` says why. */
char *auto_write_reproduction(const struct autotest *a, struct diagnostic *why);

/* "plumb check FILES --test TEST" for a shell; without a test if that is null; and what stands behind the options: `--` and the flags. */
void auto_add_check_command(struct text *t, const struct operand_list *files, const char *test);
void auto_add_all_flags(struct text *t, const struct target_source *source);
/* The options of `plumb check` that the tests were run with, as words of a shell. */
void auto_add_check_options(struct text *t, const struct campaign_options *o);

#endif

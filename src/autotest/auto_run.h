/* SPDX-License-Identifier: Apache-2.0 */
/* Many tests of one program, several at a time, each in a process of its own. */
#ifndef AUTOTEST_AUTO_RUN_H
#define AUTOTEST_AUTO_RUN_H

#include "base/text.h"
#include "campaign/verdict_scope.h"
#include "campaign/suppress.h"
#include "target/target.h"

struct auto_result {
    enum verdict verdict;
    /* Such a test says nothing (--quasi needs as many removals as additions) */
    bool is_skipped;
    bool is_lost;                           /* its process was killed from outside */
    uint32_t error;                         /* enum worker_error_kind of one that is violated */
    uint64_t executions, complete, blocked; /* and stuck ones */
    uint64_t stopped;                       /* --progress: further ones, in which a thread may stop */
    uint64_t serial_complete, serial_stuck;
    double serial_seconds, seconds;
    uint32_t limits;      /* enum worker_limit */
    bool could_meet, met; /* it has several threads; some operations of theirs conflicted */
    struct worker_compared compared;
    bool is_bounded;           /* because of a loop that seems to have no end, */
    char loop[256];            /* which is here; empty: the place is not known */
    char why[520];             /* inconclusive, or no verdict: one clause */
    struct diagnostic mistake; /* no verdict: the same, with its place */
};

struct auto_runner {
    const char *name;                              /* of the program, for messages */
    const struct target_program *program, *golden; /* golden: null, or what the specification is */
    const struct campaign_options *options;        /* of each test; jobs: how many at a time */
    double test_time;                              /* seconds that one may take; 0: any */
    double deadline;                               /* base_now() at which everything ends; 0: never */
    /* Tests with more executions wait until all others are done; 0: none does */
    uint64_t slice;

    /* The next test, as text that stays until it is done. Null: no more (for now, or at all). */
    const char *(*next)(void *context, uint64_t *number);
    /* Called for each in the order of their numbers, then for those that waited. False: that was enough. */
    bool (*done)(void *context, uint64_t number, const char *test, const struct auto_result *r);
    struct suppressions *suppressions; /* or null */
    struct verdict_scope *scope;       /* where tests that were run say what they are judged as; or null */
    void (*tick)(void *context);       /* about ten times a second */
    void *context;
};

/* False: time was up before all tests were done. */
bool auto_run(const struct auto_runner *r);

/* One test. */
struct auto_result auto_run_one(const struct auto_runner *r, const char *test);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A harness on real threads: the main header of this folder. docs/internals/native/stress.md has the idea.
 *
 *     struct stress_run run = {.options = ...};
 *     stress_run(&run);         the answer is in run.result, or run.error says why there is none
 *     stress_run_free(&run); */
#ifndef STRESS_STRESS_H
#define STRESS_STRESS_H

#include "base/verdict.h"
#include "report/documents.h"
#include "stress/stress_finding.h"
#include "stress/stress_judge.h"
#include "stress/stress_plan.h"
#include "target/build.h"

#include <signal.h>

enum { STRESS_OPS_USUAL = -1, STRESS_OPS_ENDLESS = 0 };

/* How far the run was at some moments: at most STRESS_SAMPLES_MOST, at equal distances. */
enum { STRESS_SAMPLES_MOST = 400 };

struct stress_samples {
    VEC(struct report_sample) list;
    double next, distance; /* seconds of the run */
};

struct stress_result {
    enum verdict verdict;
    uint64_t rounds;                /* that were judged */
    uint64_t long_rounds;           /* of these: followed while they went on */
    uint64_t given_up;              /* every open call waited, and may */
    uint64_t abandoned;             /* an assumption of the harness did not hold */
    uint64_t undecided;             /* histories on which the monitor gave up */
    uint64_t recorded, judged;      /* operations */
    uint64_t unknown;               /* of these: their answer is not known, such as one that is too long */
    double seconds;                 /* of all rounds */
    double recording, judging;      /* seconds: from the first call to the last return; of the monitors */
    uint32_t threads, threads_most; /* of most rounds; of those with more threads than processors */
    struct stress_samples samples;
    double found_at; /* seconds of the run; 0: nothing was found */
    bool interrupted;
    /* the file for all histories was not written as a whole, for reason number `record_error` */
    bool record_is_cut;
    int record_error;
    char stamps[200];               /* what they are, and why */
    bool by_clock_only;             /* without fences */
    char limit[512];                /* inconclusive: why */
    struct stress_finding *finding; /* violated */
};

struct stress_listener {
    /* Now and then. Every member may be left out. */
    void (*beats)(void *context, const struct stress_result *so_far);
    void *context;
    const volatile sig_atomic_t *stop; /* nonzero: the verdict so far is wanted */
};

struct stress_options {
    struct target_source source;
    const char *name;             /* of the harness, for messages */
    const char *spec;             /* of the command line, or null */
    struct stress_wishes wishes;  /* what threads call */
    struct pipeline_question ask; /* of each history */
    uint64_t seed;
    double time;     /* 0: no limit */
    uint64_t rounds; /* 0: no limit */
    int64_t ops;     /* of a thread in a round; STRESS_OPS_USUAL, STRESS_OPS_ENDLESS */
    double hang;
    bool raw;           /* stamps without fences */
    const char *record; /* file for all histories, or null */
    const char *save;   /* file for the history of a violation */
    struct stress_listener listener;
};

struct stress_run {
    struct stress_options options;
    struct stress_result result;
    struct stress_notes notes;
    struct stress_harness harness;
    struct diagnostic error; /* nothing could be judged */
};

void stress_run(struct stress_run *run);
void stress_run_free(struct stress_run *run);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of a program under test: which executions, judged how, within which limits. */
#ifndef CAMPAIGN_CAMPAIGN_OPTIONS_H
#define CAMPAIGN_CAMPAIGN_OPTIONS_H

#include "base/diagnostic.h"
#include "base/options.h"
#include "report/documents.h"

struct bounding;
struct nonblocking_plan;
struct campaign_progress;
struct order_table;

/* What is said while a campaign lasts, to the one who runs it. Members may be null. */
struct campaign_listener {
    void (*problem)(const struct diagnostic *d); /* beside the answer: a file that cannot be written */
    void (*note)(const char *line);              /* "going on from F: 120 executions were done" */
    void (*estimate)(double executions, double standard_error); /* before the run */
    void (*progress)(const struct campaign_progress *p);        /* about ten times a second */
    void (*progress_end)(void);
};

enum { CAMPAIGN_SHARDS = 4096 }; /* at most */

/* No --seed was given. */
#define CAMPAIGN_NO_SEED UINT64_MAX

/* The positions of the words of --races. */
enum campaign_races { CAMPAIGN_RACES_STOP, CAMPAIGN_RACES_REPORT, CAMPAIGN_RACES_ALLOW };

/* --shard I/N: one of N parts of the work, each for a machine of its own. */
struct campaign_shard {
    const char *words;      /* as given, or null */
    const char *result;     /* the file for `plumb merge`, or null */
    uint64_t number, count; /* from 0; count 0: all of it */
};

/* Some of the work of an exploration that others have the rest of: campaign/cluster/coordinator.h. */
struct campaign_piece;

struct campaign_options {
    int mode; /* position in the words of --mode; enum worker_mode */
    uint64_t runs, seed, jobs, executions, preemptions, steps, depth, loops, memory_limit;
    const char *test, *init, *final, *spec, *quasi, *values, *golden, *golden_define, *observations;
    const char *json, *trace, *checkpoint, *nondet;
    const char *compdb;             /* where flags for the compiler come from; or null */
    const char *property, *witness; /* of a task of SV-COMP */
    const char *out;                /* the folder for files that are not named; null: the current one */
    struct report_paths files;
    struct campaign_shard shard;
    struct campaign_piece *piece; /* not an option; or null */
    const char *serials_in;       /* not an option: what the golden implementation answered */
    double time, compute;
    int color;
    int client;           /* position in the words of --client */
    int memory;           /* position in the words of --memory */
    int release_sequence; /* position in the words of --release-sequence */
    int histories;        /* position in the words of --histories; enum ordering_mode */
    bool no_annotations;
    const char *cc, *cxx; /* for the command line, which chooses compilers for whatever is built */
    bool sandbox;         /* for the command line, which confines whatever is launched */
    bool all_errors, leaks, spurious, weak_cas, reuse, fold, no_fold, symmetry, opaque_items, full, quiet,
        verbose, count_histories;
    bool fold_asked; /* not an option: by name */
    /* Not options: of the number of executions, before they are run; 0: not known */
    double estimate, estimate_error;
    int count; /* not an option: enum worker_count */
    /* Not an option: schedules instead of the graphs of sc (campaign_interleave.h) */
    bool all_seq_cst;
    int races;                             /* enum campaign_races */
    int uninitialized;                     /* position in the words of --uninitialized: 1 is all */
    int sync;                              /* enum worker_sync */
    int volatiles;                         /* position in the words of --volatile: 1 is relaxed */
    struct operand_list suppress;          /* rules, or files with rules: suppress.h */
    struct operand_list orders;            /* SITE=ORDER: order_sites.h */
    const struct order_table *order_table; /* not an option: what these mean; or null */
    bool watch_orders;                     /* not an option: of that table, which calls happen */
    bool no_repair;
    bool compare, report_weak;
    bool progress; /* a thread may stop forever: the others have to end */
    const struct nonblocking_plan
        *stops;          /* not an option: where threads stop, in this exploration; or null */
    bool wants_estimate; /* not an option: of the number of executions, before they are run */
    /* Not options: the bound of an exploration with a loop that seems to have no end, and where that is; or null */
    const struct bounding *bounding;
    const char *loop_place;
    const struct campaign_listener *listener; /* not an option; null: nothing is reported */
};

extern const struct campaign_options campaign_options_default;

/* Chooses the mode, runs and seed if none were asked for. False: these do not go together. */
bool campaign_options_fit(struct campaign_options *o, struct diagnostic *why);

/* What --shard means. False: it is no shard. */
bool campaign_read_shard(struct campaign_shard *s, struct diagnostic *why);

/* Is the exploration saved or divided? Then its state is what goes into a checkpoint, and nothing else. */
bool campaign_is_kept(const struct campaign_options *o);

/* For commands whose answers are verdicts, not numbers of executions: rounds are folded where nothing forbids it. After
 * the options were found to fit. */
void campaign_fold_by_default(struct campaign_options *o);

const struct memory_model *campaign_model(const struct campaign_options *o);
const char *campaign_memory_name(const struct campaign_options *o);

/* Do executions go on after a race, all or some of them, and plain accesses count as relaxed atomics? */
bool campaign_goes_on(const struct campaign_options *o);
/* Is more than the first error asked for? */
bool campaign_lists_errors(const struct campaign_options *o);

/* To the listener, if there is one. `file`: what the problem is with; or null. */
void campaign_problem(const struct campaign_options *o, const char *file, const struct diagnostic *why);
void campaign_note(const struct campaign_options *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

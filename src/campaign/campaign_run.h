/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a program under test: workers, and what they add up to. */
#ifndef CAMPAIGN_CAMPAIGN_RUN_H
#define CAMPAIGN_CAMPAIGN_RUN_H

#include "campaign/bounds.h"
#include "campaign/campaign_options.h"
#include "campaign/folding.h"
#include "campaign/saving.h"
#include "target/target.h"

/* A worker without progress for so long is given up. It watches itself by the processor time it gets; on a busy
 * machine that takes a while. Who allows it less processor time (--compute) waits less, in proportion. */
enum { CAMPAIGN_STALL_SECONDS = 30, CAMPAIGN_STALLS_COMPUTED = 15, CAMPAIGN_STALL_LEAST = 5 };

struct campaign_result {
    struct target_worker *found; /* the worker whose shared memory has the error, or null */
    uint64_t executions, complete, blocked, refuted, folded, cut, steps, undecided, revisits, not_run;
    double estimate, estimate_error; /* executions in all, by sampling; 0: not known */
    uint64_t failing;                /* all_errors: executions with an error */
    bool findings_lost;              /* there were more causes than are kept */
    struct worker_compared compared;
    struct worker_annotated annotated;
    uint32_t limits;                 /* enum worker_limit bits of all workers */
    const struct target_end *failed; /* a worker that ended badly (stuck, lost, broken, refused), or null */
    uint64_t failed_worker;          /* its number, from 0 */
    bool timed_out;
    bool went_on;                            /* from a checkpoint */
    const struct worker_shared *unsupported; /* the memory that names something unsupported, or null */
    char unsupported_before[128];            /* the same, in a run that this one went on from */
    const struct worker_shared
        *unpredictable; /* the memory that names an answer that depends on a clock, or null */
    const struct worker_shared
        *suspected;                     /* the memory that names a loop which seems to have no end, or null */
    const struct worker_shared *cut_at; /* the memory that says where executions were cut, or null */
    struct campaign_bounds bounds;
    struct campaign_division {
        uint64_t pieces, digest; /* of all parts: of one division they are the same */
        struct pool_object *objects;
        size_t object_count;
    } division;                   /* --shard; freed with campaign_result_free */
    bool judging_was_stuck;       /* our own code took too long; not the program's fault */
    enum folding_level folded_by; /* how much was folded */
    bool folded_less;             /* than was begun with: all was run again */
};

struct campaign_piece {
    /* What to do; after the run what is left, with the counts of what was done */
    struct checkpoint work;
    bool is_all;            /* there is no work yet: the whole exploration */
    uint32_t pieces_wanted; /* breadth first, until there are so many pieces; 0: to its end */
    double seconds;         /* or until then; 0: any time */
    bool is_lost;           /* there was no time to save what is left: nothing was done */
};

/* How far a run is, for its listener. */
struct campaign_progress {
    const struct campaign_options *options;
    struct target_worker *const *workers; /* options->jobs of them */
    const struct saving *saving;
    double started; /* base_now() then */
};

/* How long a worker of that sort may be without progress. */
double campaign_stall_seconds(const struct worker_config *c);

/* Worker number k of n takes its share of the runs; all executions are shared as they are found. */
struct target_run campaign_plan(const struct campaign_options *o, uint64_t k);

/* Estimates how many executions there will be, if that is wanted; the options have it then. */
void campaign_estimate(const struct target_program *program, struct campaign_options *options);

/* Starts `options->jobs` workers on the program, waits for them and adds up. The workers stay in `workers`
 * (at most jobs of them, the rest null), to be freed by the caller. False: they could not be started. */
bool campaign_run(const struct target_program *program, const struct campaign_options *options,
                  struct target_worker **workers, struct campaign_result *result, struct diagnostic *why);

/* The same, without a bound that was not asked for: a loop that seems to have no end ends it with LIMIT_SUSPECTED. */
bool campaign_run_once(const struct target_program *program, const struct campaign_options *options,
                       struct target_worker **workers, struct campaign_result *result,
                       struct diagnostic *why);

void campaign_result_free(struct campaign_result *result);

/* Why a harness, a test or a program could not be run, and where, as the worker said that ended with TARGET_REFUSED. `name`: the
 * file to name when it said nothing about the place. */
void campaign_mistake(struct diagnostic *out, const char *name, const struct target_worker *worker);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a run on real threads found, as reports show it. */
#ifndef STRESS_FINDING_H
#define STRESS_FINDING_H

#include "explain/history/explain.h"
#include "stress/stress_harness.h"
#include "stress/stress_judge.h"
#include "stress/stress_program.h"
#include "stress/stress_records.h"

enum stress_error {
    STRESS_NOT_LINEARIZABLE,
    STRESS_BAD_INVARIANT,
    STRESS_CRASHED,
    STRESS_EXITED,
    STRESS_HANGS,
    STRESS_ERRORS
};

/* The word for an error in documents: "crash". */
const char *stress_error_word(enum stress_error error);

/* Where and when. */
struct stress_scene {
    struct stress_round round;
    uint32_t phase;        /* enum stress_phase */
    int signal, exit_code; /* or 0 and -1 */
    uint32_t slot;         /* of the thread that it is about; STRESS_NO_SLOT: not known */
    double waited;         /* a hang: seconds */
    char message[128];     /* what the library in the program says about it; or empty */
};

struct stress_finding {
    enum stress_error error;
    struct stress_scene scene;
    /* What reports are made of: of a history as `plumb monitor` has it; of the others the error, its threads' stacks, and (explained)
     * the last operations of every thread */
    struct report_counterexample counterexample;
    char *saved;        /* file with the history of the round; null: there is none */
    uint64_t missing;   /* operations at its beginning that were not kept */
    struct text output; /* the end of what the program printed; not with histories */

    /* Memory behind it. */
    struct explanation explanation;
    struct pipeline_input input;
    bool has_input;
    struct plumb_values *values;
    struct report_counterexample last; /* operations */
    struct report_execution execution;
};

/* A crash, a hang, an exit, an invariant. `log`: the round so far. */
struct stress_finding *stress_finding_make(enum stress_error error, const struct stress_scene *scene,
                                           const struct stress_harness *h, const struct stress_log *log,
                                           const char *name);

/* A history that is violated, judged again from what was saved; the input belongs to the finding now. `replay`: the command that shows it
 * again, or null. */
struct stress_finding *stress_finding_of_history(const struct stress_scene *scene, struct pipeline_input *in,
                                                 const char *replay);

/* Where the threads are, from the stacks of the process, which still runs. */
void stress_finding_take_stacks(struct stress_finding *f, const struct stress_program *p);

void stress_finding_free(struct stress_finding *f);

/* "set-up", "calls", ... */
const char *stress_phase_word(uint32_t phase);

#endif

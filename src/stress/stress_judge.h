/* SPDX-License-Identifier: Apache-2.0 */
/* Decides the calls of a round: as whole histories, one for each object, or as a stream while it goes on. */
#ifndef STRESS_JUDGE_H
#define STRESS_JUDGE_H

#include "pipeline/pipeline.h"
#include "stress/stress_harness.h"
#include "stress/stress_records.h"

struct stress_question {
    const struct stress_harness *harness;
    struct pipeline_question ask;      /* init, quasi, time and memory for one history */
    double deadline;                   /* at which a stream is given up; 0: none */
    const volatile sig_atomic_t *stop; /* nonzero: whatever is going on ends; or null */
};

struct stress_answer {
    enum verdict verdict; /* of all objects that have a specification; none: *error says why */
    uint32_t object;      /* violated: which one */
    char limit[256];      /* inconclusive */
    struct diagnostic error;
};

/* "q1", or null for the one without name; of one of several rounds "round 17" or "round 17 q1". */
plumb_value stress_object_name(struct plumb_values *values, const char *name, uint64_t round);

/* The operations of one object as a history, not bound; stamps count from `base`. `round` > 0: the object is named after it. */
struct history *stress_history(const struct stress_log *log, const struct stress_harness *h, uint32_t object,
                               int64_t base, uint64_t round);

/* The smallest stamp of the log; 0: it has no calls. */
int64_t stress_log_base(const struct stress_log *log);

/* Decides the log as a whole. */
void stress_judge_whole(const struct stress_log *log, const struct stress_question *q,
                        struct stress_answer *out);

/* Follows a round segment by segment, in memory that does not grow. */
struct stress_follower;
struct stress_follower *stress_follow(const struct stress_question *q);
/* The calls of the log from number `from` on; all have returned. False: there is nothing more to be learnt. */
bool stress_follower_take(struct stress_follower *f, const struct stress_log *log, size_t from);
/* Strings and arrays are kept as long as the follower lives: is there enough of them to begin another round? */
bool stress_follower_is_full(const struct stress_follower *f);
/* The verdict over all; frees it. Of a violation *in gets what shows it, to be explained and freed. */
void stress_follower_end(struct stress_follower *f, bool ended, struct stress_answer *out,
                         struct pipeline_input *in);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the judge of histories keeps, for its two ways: by the order in time, and by the graph. */
#ifndef WORKER_JUDGE_STATE_H
#define WORKER_JUDGE_STATE_H

#include "base/hash.h"
#include "judge/judge.h"
#include "worker/verdict/verdict_history.h"

/* What identifies a history of the test: two operations compare as their rounds do, because a round is a
 * number of calls followed by a number of returns. */
struct fingerprint {
    uint32_t called, returned; /* in which round; 0: not */
    plumb_value result;
};

struct judge_state {
    struct history *history;
    const struct plumb_spec *const *specs;
    struct history_op *blank;   /* the operations as they were given */
    struct history_op *stamped; /* and as they were executed */
    uint32_t *objects, object_count;
    const char **names; /* of the operations' operations */
    uint32_t count;
    uint32_t *log; /* in time order: operation << 1 | does it return */
    uint32_t log_length;
    plumb_value *results;
    uint32_t *returned; /* operations, in the order in which they did */
    struct fingerprint *fingerprints;
    struct hash_map judged;
    struct plumb_spec_options options;
    struct judge_op *ops; /* for executions that are graphs; the results are those seen last */
    struct judge *clients;
    struct judge_graph *reader;
    struct hash_map fitting; /* results that the specification knows */
    struct judge_execution execution;
    struct judge_violation violation;
    bool forgetful;
    bool has_stamps; /* the violation's stamps are those of the history */
};
extern struct judge_state judge __attribute__((visibility("hidden")));

/* The execution as history->ops, with the stamps of the violation if `has_stamps`, else in the order of the log; of
 * operations that have a fingerprint. */
void judge_fill_history(void);
/* Then ties it to the specifications. False: the line of *d is the number of the operation that does not fit, from 1. */
bool judge_bind_history(struct diagnostic *d);
/* The operations on the object as JSON lines. Their length; 0: they do not fit. */
uint32_t judge_write_history(uint32_t object, char *to, size_t size);

/* Fingerprints of the execution's operations, and their hash. */
uint64_t judge_hash_execution(void);

/* The execution as the judge reads it is in judge.execution; *numbers are those of its operations in the test. Null: the answer
 * is known already, because results do not fit or there are too many operations. */
enum judge_answer judge_read(struct worker_shared *shared, const struct graph *g, const uint32_t **numbers,
                             struct diagnostic *d);

/* Lets the monitor decide the execution, and reports what is wrong. */
enum judge_answer judge_log(struct worker_shared *shared, struct diagnostic *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Does an execution that is linearizable keep the rules of synchronization (spec/sync_rules.h)? It does if in some legal order of
 * its operations, one that agrees with what happens before what, every operation that a rule demands happens before the one that
 * demands it. docs/internals/judge/synchronization.md. */
#ifndef JUDGE_JUDGE_SYNC_H
#define JUDGE_JUDGE_SYNC_H

#include "judge/judge.h"

/* A rule that the user names: an operation out of `later` that answers a value (neither nothing nor null) which one out of
 * `earlier` had as its last argument has at least one such before it. Bits are numbers in the test. */
struct judge_sync_named {
    uint64_t earlier, later;
};

struct judge_sync_settings {
    const struct plumb_spec *const *specs; /* one per object */
    uint32_t objects;
    const struct plumb_spec_options *options;
    bool all;    /* also the rules that are off by default */
    bool no_own; /* only those that the user names */
    const struct judge_sync_named *named;
    uint32_t named_count;
    uint64_t effort; /* steps of one search; 0: a million */
};

/* Numbers are those of operations of the execution. */
struct judge_sync_violation {
    uint32_t earlier, later;
    const char *relation; /* "%s returns what %s put in" */
    /* A legal order, as long as possible, in which all rules are kept; `later` would be next. Of one object. */
    uint32_t order_count;
    uint8_t order[JUDGE_OPS_MAX];
    bool is_named; /* by the user: then there is no order */
    uint32_t rule; /* which of the named ones */
};

struct judge_sync;

struct judge_sync *judge_sync_new(const struct judge_sync_settings *settings);
void judge_sync_free(struct judge_sync *j);

/* Is there any rule? */
bool judge_sync_has_rules(const struct judge_sync *j);

/* `before`, row a, bit b: the call of a happens before the return of b. `numbers`: of the operations in the test. Operations that
 * have not returned have had no effect. VERDICT_INCONCLUSIVE: too many orders. `v` may be null; filled in, it does not depend on
 * executions decided before, nor on x->hint. */
enum verdict judge_sync_decide(struct judge_sync *j, const struct judge_execution *x, const uint64_t *before,
                               const uint32_t *numbers, struct judge_sync_violation *v);

/* What happens before what in the execution that was read last, as `before` above. */
void judge_graph_before(struct judge_graph *j, uint64_t *before);

#endif

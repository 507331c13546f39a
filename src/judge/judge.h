/* SPDX-License-Identifier: Apache-2.0 */
/* Is one explored execution linearizable for every client? A client may order operations further than the test did,
 * wherever the execution stays consistent; all these orders are decided at once (docs/internals/judge/judge.md).
 *
 * An execution is its operations and what the memory model says about pairs of them; judge/judge_graph.c
 * finds that in an execution graph. Objects are judged one by one. */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <plumb/spec.h>

#include "base/verdict.h"
#include "history/history.h"
#include "graph/model.h"

enum { JUDGE_OPS_MAX = 64, JUDGE_NO_OP = 0xff };

/* An operation that was invoked. */
struct judge_op {
    plumb_value arg, result; /* of a pending one: PLUMB_ANY */
    uint32_t op;             /* number in the specification */
    uint32_t thread;
    uint32_t object;
};

enum judge_ending {
    JUDGE_ENDED, /* nothing is pending */
    JUDGE_STUCK, /* every pending operation waits forever */
    /* Crashed or given up: pending operations may have happened, with any result */
    JUDGE_CUT,
};

/* Sets of operations are bits. "a -> b" is a client's order: a returns before b is called. */
struct judge_execution {
    uint32_t count;
    enum judge_ending ending;
    uint64_t completed;
    struct judge_op ops[JUDGE_OPS_MAX];
    uint8_t hint[JUDGE_OPS_MAX];   /* all operations, in the order in which they probably took effect */
    uint64_t after[JUDGE_OPS_MAX]; /* after[a]: those that the test itself orders after a */

    /* Does time have one order (sequential consistency)? Then only `knows` counts. */
    bool timed;
    /* The call of b is before the return of a, for a completed, as bit a of row b: */
    uint64_t knows[JUDGE_OPS_MAX];  /* by happens-before (timed: at all) */
    uint64_t hinder[JUDGE_OPS_MAX]; /* so that "a -> b" is inconsistent */
    /* By what may have no cycle with client's orders: program order and reads-from */
    uint64_t causes[JUDGE_OPS_MAX];
    /* Is the execution consistent with these orders (bit b of row a)? Asked last; null: the matrices say it all. */
    bool (*is_consistent)(void *context, const uint64_t *orders);
    void *context;
};

/* What a client has to do to see it. Operations are numbers of the execution. */
struct judge_violation {
    uint32_t object;
    /* Stuck: the operation that should not have had to wait; else JUDGE_NO_OP */
    uint32_t waits;
    /* The object's operations that count: without the other pending ones if stuck */
    uint64_t members;
    uint64_t orders[JUDGE_OPS_MAX];   /* what the client adds: bit b of row a */
    uint64_t precedes[JUDGE_OPS_MAX]; /* all that follows from it and the test */
    /* The same as stamps of calls and returns. Weak memory has orders that no stamps express: then `stamped` is false. */
    bool stamped;
    int64_t call[JUDGE_OPS_MAX], ret[JUDGE_OPS_MAX];
};

struct judge_settings {
    const struct plumb_spec *const *specs; /* one per object */
    uint32_t objects;
    const struct plumb_spec_options *options;
    uint64_t effort;     /* steps that one execution may cost; 0: 4 million */
    bool forgetful;      /* search every time, to compare: nothing is recognised */
    size_t entries_most; /* of what is remembered; then everything is forgotten. 0: 2 million */
};

struct judge_counts {
    uint64_t executions;
    uint64_t recognised; /* by a certificate */
    uint64_t nodes;      /* of searches */
};

struct judge;

struct judge *judge_new(const struct judge_settings *settings);
void judge_free(struct judge *j);

/* The violation is filled in when there is one (may be null). */
enum verdict judge_decide(struct judge *j, const struct judge_execution *x, struct judge_violation *v);

/* The execution as the test's own threads see it: no client orders more than they do. */
void judge_fix_client(struct judge_execution *x);

/* The limit that the last VERDICT_INCONCLUSIVE met, as a phrase. */
const char *judge_limit(const struct judge *j);
const struct judge_counts *judge_counts(const struct judge *j);

/* Is there really no legal order of the violation's members? Shares no code with the judge; within the effort.
 * HOLDS: there is one (an internal error). */
enum verdict judge_confirm(const struct judge_settings *settings, const struct judge_execution *x,
                           const struct judge_violation *v);

/* --- execution graphs ------------------------------------------------------------------------------- */

/* An execution graph as the judge sees it. Operations begin and end at notes of the graph: GRAPH_MARK with the kind
 * EVENT_OP_CALL or EVENT_OP_RETURN and the operation's number in the test as value. */
struct judge_graph; /* scratch memory, used again and again */

struct judge_graph *judge_graph_new(const struct memory_model *model);
void judge_graph_free(struct judge_graph *j);

/* `test`: all operations of the test by number, with the results of those that have returned. Operations that were not
 * called are left out. The ending is the caller's to set. The graph must stay as it is while the execution is judged.
 * False: there are more than JUDGE_OPS_MAX (x->count says how many were called). */
bool judge_graph_read(struct judge_graph *j, const struct graph *g, const struct judge_op *test,
                      uint32_t test_count, struct judge_execution *x);

/* The number in the test of each operation of the execution read last. */
const uint32_t *judge_graph_numbers(const struct judge_graph *j);

/* The events of the graph at which an operation begins and ends; ret is GRAPH_NONE if it does not. */
void judge_graph_ends(const struct judge_graph *j, uint32_t op, uint32_t *call, uint32_t *ret);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the operations of a test answered in one execution, and whether that is linearizable. Most executions
 * repeat a history that was judged before: each one is judged once. */
#ifndef WORKER_JUDGE_HISTORY_H
#define WORKER_JUDGE_HISTORY_H

#include <plumb/spec.h>

#include "engine/shared/protocol.h"
#include "graph/graph.h"
#include "history/history.h"

enum judge_answer {
    JUDGE_FINE,  /* or not known: then shared->undecided has one more */
    JUDGE_WRONG, /* shared->error, history and judged_by are filled in */
    /* The answers do not fit the specification: *d says why, its line which operation, from 1 */
    JUDGE_MISMATCH,
};

/* `h` has all operations of the test, pending, in the order of their numbers; `specs` one per object. Both
 * stay in use. False: *d says why an operation does not fit its specification; its line is the operation's number, from 1. */
bool judge_prepare(struct history *h, const struct plumb_spec *const *specs, struct diagnostic *d);

/* The operations that have returned, in that order, and what each operation answered; *called: the number of one
 * that has not, or UINT32_MAX. Valid until judge_begin. */
size_t judge_returned(const uint32_t **returned, const plumb_value **results, uint32_t *called);

/* Is some operation of this execution called and not returned? */
bool judge_is_within(void);

/* One execution. Allocates nothing before judge_end. */
void judge_begin(void);
void judge_call(uint32_t op);
void judge_return(uint32_t op, plumb_value result);
/* Notes the answer of an operation that has returned in shared->answered: an error may end the execution before there is
 * a history. Allocates. */
void judge_show_answer(struct worker_shared *shared, uint32_t op);
enum judge_answer judge_end(struct worker_shared *shared, struct diagnostic *d);

/* The same for every client, by the execution's graph. The history reported is that of the client who sees it. */
enum judge_answer judge_end_graph(struct worker_shared *shared, const struct graph *g, struct diagnostic *d);

/* Rules of synchronization that the harness names: operations of the test, by number, as bits, and where the rule stands. */
struct judge_named_rule {
    uint64_t earlier, later;
    const char *text, *file; /* stay */
    unsigned line;
};
void judge_set_rules(const struct judge_named_rule *rules, uint32_t count); /* stay in use */

/* After JUDGE_FINE, of an execution that is a graph under rc11: does it keep the rules of synchronization? JUDGE_WRONG:
 * shared->error and shared->calls are filled in, and judge_client is none. */
enum judge_answer judge_synchronization(struct worker_shared *shared, const struct graph *g);

/* After JUDGE_WRONG: what the client who sees it orders, for explore_graphs_set_client; null: not known. */
const uint64_t *judge_client(void);

/* May those that have not returned wait forever? `g` as in harness_judge. JUDGE_WRONG: *waits is one that need not. */
enum judge_answer judge_stuck(struct worker_shared *shared, const struct graph *g, uint32_t *waits,
                              struct diagnostic *d);

/* The whole execution is to blame, no place in it: that is the error. */
void judge_report_error(struct worker_shared *shared, enum worker_error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Do operations of different threads ever have anything to do with each other? A test in which they do not cannot fail. */

/* Looks at an execution, until one is found in which two operations of different threads conflict: both access a location,
 * and one of them writes. Plain accesses need no look: where they conflict, something else orders them, or they race. */
void meetings_look(struct worker_shared *shared, const struct graph *g);

#endif

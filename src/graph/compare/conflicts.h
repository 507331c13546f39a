/* SPDX-License-Identifier: Apache-2.0 */
/* Is an execution conflict serializable, with the operations of a test as transactions? Two operations conflict where they
 * access the same location and one of them writes; locks, condition variables and so on are locations, too. The execution
 * is serializable if one order of whole operations orders all conflicts, and the operations of each thread, as they were.
 *
 * That is what checkers of atomicity ask, and more than linearizability asks. Executions that are linearizable and not serializable
 * are false alarms; Line-Up's section 5.6 gives four common reasons. Which one it is cannot be known for sure from
 * the accesses alone: here a reason is a set of accesses without which the execution would be serializable. */
#ifndef GRAPH_CONFLICTS_H
#define GRAPH_CONFLICTS_H

#include "graph/cycles.h"

enum { CONFLICTS_OPS_MAX = 64 };

/* word, text; in the order in which they are tried. The first four are the paper's, the next is ours. */
#define CONFLICT_REASONS(X)                                                           \
    X(RETRY, "retry", "a CAS fails, and what was read before it is read again")       \
    X(RECHECK, "recheck", "an early look that the operation repeats")                 \
    X(COMPARISON, "comparison", "reads of a number that only grows, or only shrinks") \
    X(INITIALISATION, "initialisation",                                               \
      "something is written only once, or a lock that no thread takes twice")         \
    X(WAIT, "wait", "an operation that slept has looked around before")               \
    X(SEVERAL, "several", "more than one of these")                                   \
    X(OTHER, "other", "none of these")

enum conflict_reason {
#define X(name, word, text) CONFLICT_##name,
    CONFLICT_REASONS(X)
#undef X
        CONFLICT_REASON_COUNT
};

const char *conflict_reason_word(enum conflict_reason r);
const char *conflict_reason_text(enum conflict_reason r);

struct conflicts; /* scratch memory, used again and again */

struct conflicts *conflicts_new(void);
void conflicts_free(struct conflicts *c);

enum conflicts_answer { CONFLICTS_SERIALIZABLE, CONFLICTS_CYCLE, CONFLICTS_TOO_MANY /* operations */ };

/* Operations begin and end at notes, as in judge/judge_graph.c; what is outside of them is left out. Such accesses come
 * before or after all threads of a test. The graph must stay as it is for the questions below. */
enum conflicts_answer conflicts_read(struct conflicts *c, const struct graph *g);

/* After CONFLICTS_CYCLE: the accesses of a shortest cycle of operations; and the reason, supposing that it is a false alarm. */
void conflicts_find_cycle(struct conflicts *c, struct graph_cycle *out);
enum conflict_reason conflicts_reason(struct conflicts *c);

/* The operation that the event belongs to, by its number in the test; UINT32_MAX: none. */
uint32_t conflicts_operation_of(const struct conflicts *c, uint32_t event);

#endif

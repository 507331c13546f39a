/* SPDX-License-Identifier: Apache-2.0 */
/* An execution graph as the judge sees it. Operations begin and end at notes of the graph: GRAPH_MARK with the kind
 * EVENT_OP_CALL or EVENT_OP_RETURN and the operation's number in the test as value. */
#ifndef JUDGE_JUDGE_GRAPH_H
#define JUDGE_JUDGE_GRAPH_H

#include "graph/model.h"
#include "judge/judge.h"

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

#endif

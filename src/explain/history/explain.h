/* SPDX-License-Identifier: Apache-2.0 */
/* Turns what the monitor found into the structure that reports are made of. */
#ifndef EXPLAIN_EXPLAIN_H
#define EXPLAIN_EXPLAIN_H

#include "pipeline/pipeline.h"
#include "report/counterexample.h"

/* The counterexample and the memory behind it. */
struct explanation {
    struct report_counterexample counterexample;
    struct arena arena;
    struct hash_map positions; /* index in the history -> index in the counterexample */
    struct report_history history;
};

/* Explains a violated input, which has to outlive the explanation, as has the command that shows it again (or
 * null). */
void explain_violation(struct explanation *e, const struct pipeline_input *in, const char *replay);
/* Adds the operations around it, for pictures. `lines`: those of the input mean something to the reader. */
void explain_history(struct explanation *e, const struct pipeline_input *in, bool lines);

/* Adds when it ceased to be legal, as far as it is known. */
void explain_moment(struct explanation *e, const struct pipeline_input *in);

/* An operation of the history as reports have it; lives as long as the explanation. */
struct report_op explain_op(struct explanation *e, const struct pipeline_input *in, uint32_t id);

/* What there is to show of a history that holds: its operations, and the orders that were found. */
void explain_witnesses(struct explanation *e, const struct pipeline_input *in);

/* A name as a reader writes it, "T1" or a string without its quotes; lives as long as the explanation. */
const char *explain_name(struct explanation *e, const struct history *h, const char *prefix,
                         plumb_value name);

void explain_free(struct explanation *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The counterexample of a model: its run, and its operations as the monitor explains them, which judges them
 * as a history, where it can; otherwise by themselves. */
#ifndef EXPLAIN_EXPLAIN_MODEL_H
#define EXPLAIN_EXPLAIN_MODEL_H

#include "explain/history/explain.h"
#include "explain/model/model_steps.h"

/* The counterexample and the memory behind it. */
struct explained_model {
    struct report_counterexample counterexample; /* its `explained` is one of the two below */
    struct report_execution execution;
    bool by_monitor; /* which one */
    struct pipeline_input in;
    struct explanation explanation;
    struct report_counterexample plain;
    struct arena arena;
};

/* Explains what a violated check found. The outcome has to outlive the explanation. `pictures`: with the
 * history. */
void explain_model(struct explained_model *s, const struct refine_outcome *o, bool pictures);
void explain_model_free(struct explained_model *s);

#endif

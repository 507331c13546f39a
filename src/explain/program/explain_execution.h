/* SPDX-License-Identifier: Apache-2.0 */
/* The counterexample of an error of a program under test. */
#ifndef EXPLAIN_EXPLAIN_EXECUTION_H
#define EXPLAIN_EXPLAIN_EXECUTION_H

#include "explain/program/explain_test.h"
#include "target/process.h"

/* The counterexample and the memory behind it. */
struct explained_execution {
    struct report_counterexample counterexample;
    struct report_execution execution;
    struct arena arena;
    struct explain_test test; /* of a history that is not linearizable */
};

/* Explains the error in `shared`. `judged`: its history as the monitor decided it, or null; it has to outlive
 * the explanation. `pictures`: with the history and the sources. To be freed, and not to be copied. */
void explain_execution(struct explained_execution *s, const char *name, const struct worker_shared *shared,
                       const struct pipeline_input *judged, bool pictures);

/* A program that ends itself says why: a remark with the last lines that it printed in this very execution. */
void explain_execution_add_output(struct explained_execution *s, struct target_worker *worker);

void explain_execution_free(struct explained_execution *s);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Turns what the monitor found into the structure that reports are made of. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "cli/monitor_input.h"
#include "report/counterexample.h"

/* The counterexample and the memory behind it. */
struct explanation {
    struct report_counterexample counterexample;
    struct arena arena;
    struct hash_map positions; /* index in the history -> index in the counterexample */
};

/* Explains a violated input, which has to outlive the explanation. */
void explain_violation(struct explanation *e, const struct monitor_input *in,
                       const struct monitor_options *options);
void explain_free(struct explanation *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The document of `plumb monitor --json` (docs/json.md), collected input by input. */
#ifndef CLI_MONITOR_JSON_H
#define CLI_MONITOR_JSON_H

#include "base/json_writer.h"
#include "cli/common/command.h"
#include "pipeline/pipeline.h"
#include "report/counterexample.h"

struct monitor_json {
    struct text inputs;         /* the input objects, divided by commas */
    struct text limits;         /* the same of strings */
    struct text counterexample; /* of the first violated input */
    uint64_t operations;
    bool is_timed;    /* inputs say how long they took */
    double processor; /* seconds of the processor for the next input */
};

/* `c` is the counterexample of a violated input, else null. */
void monitor_json_add(struct monitor_json *j, const struct pipeline_input *in,
                      const struct report_counterexample *c);

/* Writes the document that ends with `exit` and frees what was collected. */
void monitor_json_write(struct monitor_json *j, enum cli_exit exit, double seconds, struct text *out);

#endif

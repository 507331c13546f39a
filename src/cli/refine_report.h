/* SPDX-License-Identifier: Apache-2.0 */
/* What `plumb refine` found, for readers and as JSON. */
#ifndef CLI_REFINE_REPORT_H
#define CLI_REFINE_REPORT_H

#include "base/json_writer.h"
#include "cli/explain.h"
#include "cli/refine_options.h"
#include "report/documents.h"

/* A finished check. */
struct refine_outcome {
    const char *name; /* of the model's file */
    const struct refine_options *options;
    const struct refine_system *system;
    const struct plumb_spec *spec; /* null: the specification is a model */
    const struct refine_result *result;
    const char *command; /* that shows this again */
};

/* The whole counterexample. */
void refine_report(struct text *out, const struct refine_outcome *o, const struct report_style *style);

/* Adds the case, with the counterexample, to documents. */
void refine_document(struct report_documents *d, struct report_case *one, const struct refine_outcome *o);

/* The members "error", "counterexample" and "steps" of the JSON document. */
void refine_add_json(struct json_writer *w, const struct refine_outcome *o);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What `plumb refine` found, for readers and as JSON. */
#ifndef CLI_REFINE_REPORT_H
#define CLI_REFINE_REPORT_H

#include "base/json_writer.h"
#include "cli/refine_story.h"
#include "report/documents.h"

/* The whole counterexample. */
void refine_report(struct text *out, const struct refine_outcome *o, const struct refine_story *s,
                   const struct report_style *style);

/* Adds the case, with the counterexample, to documents. */
void refine_document(struct report_documents *d, struct report_case *one, const struct refine_outcome *o,
                     struct refine_story *s);

/* The members "error", "counterexample" and "steps" of the JSON document. */
void refine_add_json(struct json_writer *w, const struct refine_outcome *o, const struct refine_story *s);

#endif

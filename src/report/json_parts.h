/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a counterexample as members of a JSON object that is open. */
#ifndef REPORT_JSON_PARTS_H
#define REPORT_JSON_PARTS_H

#include "base/json_writer.h"
#include "report/counterexample.h"

void json_add_value(struct json_writer *w, const struct plumb_values *values, const char *name,
                    plumb_value v);

/* "phase", "history", "events" and so on: docs/json.md. */
void json_add_execution(struct json_writer *w, const struct report_counterexample *c);

/* "error", "counterexample" and "steps" of a model. */
void json_add_model(struct json_writer *w, const struct report_counterexample *c);

/* "threads" and "sources": what else a page shows of it. */
void json_add_sources(struct json_writer *w, const struct report_execution *x);

/* "calls": why they contradict a specification with ordering points. */
void json_add_calls(struct json_writer *w, const struct report_calls *c);

/* "moment": when it ceased to be legal. */
void json_add_moment(struct json_writer *w, const struct report_counterexample *c);

/* "timeline": an array for each property of the operations, which is small and quick to read. */
void json_add_history(struct json_writer *w, const struct report_history *h);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What other checkers would say about the executions of a test, next to the verdict (--compare, --report-weak). */
#ifndef CLI_CHECK_COMPARE_H
#define CLI_CHECK_COMPARE_H

#include "base/json_writer.h"
#include "base/text.h"
#include "engine/shared/protocol.h"

struct check;

/* Adds the counts, and what is told about an execution if nothing was yet. */
void check_compare_add(struct worker_compared *sum, const struct worker_compared *one);

/* Confirmed data races. */
uint64_t check_compare_count_races(const struct check *c);

/* `told`: names for what is told about one execution; null: many tests are told about, nothing of single executions. */
void check_compare_add_conflicts(struct text *out, const struct worker_compared *c, uint64_t races,
                                 const struct worker_shared *told);
void check_compare_add_weak(struct text *out, const struct worker_compared *c,
                            const struct worker_shared *told);

/* Members "compared" and "weak" of the open object. */
void check_compare_conflicts_json(struct json_writer *w, const struct worker_compared *c, uint64_t races);
void check_compare_weak_json(struct json_writer *w, const struct worker_compared *c);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What other checkers would say about the executions of a test, next to the verdict (--compare, --report-weak). */
#ifndef CAMPAIGN_COMPARED_H
#define CAMPAIGN_COMPARED_H

#include "base/json_writer.h"
#include "base/text.h"
#include "engine/shared/protocol.h"

/* Adds the counts, and the first execution of its kind. */
void compared_add(struct worker_compared *sum, const struct worker_compared *one);

/* `names`: of what one execution does, which is shown; null: many tests, of which none is shown. */
void compared_add_conflicts(struct text *out, const struct worker_compared *c, uint64_t races,
                            const struct worker_shared *names);
void compared_add_weak(struct text *out, const struct worker_compared *c, const struct worker_shared *names);

/* Members "compared" and "weak" of the open object. */
void compared_conflicts_json(struct json_writer *w, const struct worker_compared *c, uint64_t races);
void compared_weak_json(struct json_writer *w, const struct worker_compared *c);

#endif

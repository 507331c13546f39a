/* SPDX-License-Identifier: Apache-2.0 */
/* What was judged by specifications in comments, of all workers together. */
#ifndef CAMPAIGN_ANNOTATED_H
#define CAMPAIGN_ANNOTATED_H

#include "base/json_writer.h"
#include "base/text.h"
#include "engine/shared/protocol.h"

void annotated_add(struct worker_annotated *to, const struct worker_annotated *from);

/* "12 calls of 2 annotated functions judged"; nothing, if the program has none. */
void annotated_add_text(struct text *out, const struct worker_annotated *a);
/* A note on histories of which the verdict depends on the order that is chosen. False: there is none. */
bool annotated_add_note(struct text *out, const struct worker_annotated *a);
void annotated_json(struct json_writer *w, const struct worker_annotated *a);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a replayed graph as JSON: docs/json.md. */
#ifndef CLI_CHECK_EVENTS_H
#define CLI_CHECK_EVENTS_H

#include "base/json_writer.h"
#include "engine/protocol.h"

/* Adds the member "events"; nothing when the graph is not known. */
void check_events_json(struct json_writer *w, const struct worker_shared *s);

/* Is the event shown to readers? */
bool check_events_is_shown(const struct worker_shared *s, uint32_t k);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The violating history of a test without specification in the form of its serial histories (Line-Up, figure 7). */
#ifndef CAMPAIGN_OBSERVED_HISTORY_H
#define CAMPAIGN_OBSERVED_HISTORY_H

#include "base/text.h"
#include "engine/shared/protocol.h"

#include <stdbool.h>

/* Adds it, each line after `indent`. False: the error is not about a history, or the specification has a name. */
bool observed_history_add(struct text *out, const struct worker_shared *shared, const char *indent);

/* Adds it behind the serial histories of `all`, which stay such that they can be read. False: there is nothing to add. */
bool observed_history_append(struct text *all, const struct worker_shared *shared);

#endif

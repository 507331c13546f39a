/* SPDX-License-Identifier: Apache-2.0 */
/* The violating history of a test without specification in the form of its serial histories (Line-Up, figure 7). */
#ifndef CLI_CHECK_OBSERVED_H
#define CLI_CHECK_OBSERVED_H

#include "base/text.h"
#include "engine/shared/protocol.h"

#include <stdbool.h>

/* Adds it, each line after `indent`. False: the error is not about a history, or the specification has a name. */
bool check_observed_add(struct text *out, const struct worker_shared *shared, const char *indent);

/* The same behind the serial histories of the file, which stays one that can be read. False: after a diagnostic. */
bool check_observed_write(const char *path, const struct worker_shared *shared);

#endif

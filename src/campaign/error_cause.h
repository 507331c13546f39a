/* SPDX-License-Identifier: Apache-2.0 */
/* What makes two errors the same to a reader. */
#ifndef CAMPAIGN_ERROR_CAUSE_H
#define CAMPAIGN_ERROR_CAUSE_H

#include "target/symbols/symbols.h"

/* A text that is the same for errors with the same cause: the kind and, by lines of the source: race: both accesses and the
 * variable; deadlock: where threads wait; not linearizable: the operations and their results; others: the place. The
 * caller frees it. */
char *error_cause(struct symbols *symbols, const struct worker_finding *f);

#endif

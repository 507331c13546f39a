/* SPDX-License-Identifier: Apache-2.0 */
/* Why nothing orders the two accesses of a race: the steps that came nearest to it, and what they lack. */
#ifndef EXPLAIN_EXPLAIN_UNORDERED_H
#define EXPLAIN_EXPLAIN_UNORDERED_H

#include "target/symbols/symbols.h"

/* Adds a paragraph without line breaks, ended by '\n'; nothing when the error is no race, or its steps were not kept. */
void explain_unordered(const struct worker_shared *s, struct symbols *symbols, struct text *out);

#endif

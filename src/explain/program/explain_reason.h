/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence about an error of a program: what the worker says, with the names of its source. */
#ifndef EXPLAIN_EXPLAIN_REASON_H
#define EXPLAIN_EXPLAIN_REASON_H

#include "base/memory.h"
#include "engine/shared/protocol.h"
#include "target/symbols/symbols.h"

/* After the events were walked, so that memory of the heap has its names. */
const char *explain_reason(const struct worker_shared *shared, struct symbols *symbols, struct arena *arena);

#endif

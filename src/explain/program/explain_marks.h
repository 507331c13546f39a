/* SPDX-License-Identifier: Apache-2.0 */
/* Which steps of a trace an error is about. */
#ifndef EXPLAIN_EXPLAIN_MARKS_H
#define EXPLAIN_EXPLAIN_MARKS_H

#include "engine/shared/protocol.h"

enum { MARK_NONE = UINT32_MAX };

/* Positions in `events`, or MARK_NONE. */
struct explain_marks {
    uint32_t first; /* race: the earlier one of the two accesses */
    uint32_t last;  /* race: the later one; else the access that went wrong */
    uint32_t freed; /* where the memory was freed */
};

struct explain_marks explain_marks_find(const struct worker_shared *shared);

#endif

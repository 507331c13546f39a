/* SPDX-License-Identifier: Apache-2.0 */
/* Which steps of a trace an error is about. */
#ifndef CLI_CHECK_MARKS_H
#define CLI_CHECK_MARKS_H

#include "engine/shared/protocol.h"

enum { MARK_NONE = UINT32_MAX };

/* Positions in `events`, or MARK_NONE. */
struct check_marks {
    uint32_t first; /* race: the earlier one of the two accesses */
    uint32_t last;  /* race: the later one; else the access that went wrong */
    uint32_t freed; /* where the memory was freed */
};

struct check_marks check_marks_find(const struct worker_shared *shared);

#endif

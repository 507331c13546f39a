/* SPDX-License-Identifier: Apache-2.0 */
/* What threads do to memory between two steps, kept for the memo of the explorer (explore/graphs_memo.h). */
#ifndef ENGINE_STRETCHES_H
#define ENGINE_STRETCHES_H

#include "engine/engine_state.h"
#include "explore/graphs_memo.h"

extern struct graphs_stretch stretches[THREADS_MAX] ENGINE_HIDDEN;
extern bool stretches_are_kept ENGINE_HIDDEN;

void stretches_prepare(void); /* the explorer is another one, perhaps */

/* The running thread accesses what others may know. */
void stretches_note(uint64_t address, size_t size, bool writes);

void stretches_end(void); /* that of the running thread, which arrives at its next step */
static inline void stretches_begin(uint32_t thread)
{
    stretches[thread].count = 0;
    stretches[thread].is_cut = false;
}

#endif

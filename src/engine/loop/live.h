/* SPDX-License-Identifier: Apache-2.0 */
/* The live state of a thread at its steps (port_action.live), for rounds of loops that others can see: docs/internals/loops.md.
 * Wanted only where the configuration has `returns`. */
#ifndef ENGINE_LIVE_H
#define ENGINE_LIVE_H

#include "engine/loop/spin.h"
#include "engine/loop/undo.h"
#include "explore/port.h"

extern bool live_wanted __attribute__((visibility("hidden")));

/* Counts what a thread changed for good and no step shows: states before and after it are different ones. */
struct live {
    uint64_t changes;
};

/* Where it is when it arrives at a step by a call that returns to pc. 0: not known, the program's own code did not make it. */
uint64_t live_state(const struct live *l, const struct spin *s, const struct undo *u,
                    const struct port_action *step, uint64_t pc);

#endif

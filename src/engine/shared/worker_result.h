/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a worker: what the tool believes of the memory that they share, and the runtime signs. */
#ifndef ENGINE_WORKER_RESULT_H
#define ENGINE_WORKER_RESULT_H

#include "engine/shared/protocol.h"

/* No worker goes on from these: its state is signed, or the program has set it. */
static inline bool worker_result_is_final(enum worker_state state)
{
    return state >= WORKER_DONE && state <= WORKER_OVERWRITTEN;
}

/* Puts the question back as it was asked, but for what the worker may set in it. False: there was more that differed. */
bool worker_result_restore_config(struct worker_shared *s, const struct worker_config *asked);

/* With the key that `sign_off_issue` gave the tool. */
bool worker_result_is_signed(const struct worker_shared *s, uint64_t key);

/* What the runtime has counted, kept where the program does not see it: it is signed, too, and not what the shared memory says. */
struct worker_tally {
    uint64_t executions, complete, blocked, state;
    uint32_t limits; /* were met by then; others may follow */
    uint32_t is_kept;
};
extern struct worker_tally worker_result_tally;

/* By the runtime, as its last act: `state` is a final one. */
void worker_result_sign(struct worker_shared *s, enum worker_state state);
_Noreturn void worker_result_end(struct worker_shared *s, enum worker_state state);

#endif

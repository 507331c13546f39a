/* SPDX-License-Identifier: Apache-2.0 */
/* What readers want to know about the events of a replay besides: who called the function that made it, and whose variable
 * it accessed when that lies on a stack or in the storage of a thread. */
#ifndef ENGINE_ORIGINS_H
#define ENGINE_ORIGINS_H

#include "engine/shared/protocol.h"

/* Of the event that was kept last, by the current thread. */
void origins_note(struct worker_shared *s);

/* The function that is at `pc` has an array of variable length there, on the stack of the current thread. */
void origins_note_array(struct worker_shared *s, uint64_t address, size_t size, uint64_t pc);

/* A block of the program, allocated at `pc` before main; and all of them, for readers. */
void origins_note_early(uint64_t address, size_t size, uint64_t pc);
void origins_copy_early(struct worker_shared *s);

#endif

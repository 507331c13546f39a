/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a thread at a step, from function to caller, by what the tables say of each (fold.h). */
#ifndef ENGINE_FRAME_VIEW_H
#define ENGINE_FRAME_VIEW_H

#include "engine/loop/fold.h"
#include "engine/loop/spin.h"

/* A stack, and the registers of the function that has called the next one down. */
struct frame_view {
    const char *stack;
    uint64_t registers[FOLD_REGISTERS];
};

struct frame_view frame_view_of(const struct spin_entry *entry, const char *stack);

/* Goes on to the caller, whose registers may have been saved below `top`. False: it is not known where. */
bool frame_go_to_caller(struct frame_view *v, const struct fold_frame *f, uint64_t top);

/* The call that a function returns to which has its return address at `top`; null: not known, or it may be about something
 * that the function itself still reads. */
const struct fold_call *frame_caller_at(const struct frame_view *v, const struct fold_frame *f, uint64_t top,
                                        uint64_t length);

/* All that matters to a thread that called the runtime from this place: registers, and its stack of `length` bytes. Where
 * nothing is known about a frame all of it does, and of its callers. */
uint64_t frame_hash_needed(const struct spin_entry *entry, const struct fold_frame *f, uint64_t length);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may still read after an atomic access: for each call of __tsan_atomic*, which callee-saved registers
 * and which words of the caller's frame hold values that some path uses before it overwrites them. Machine code of both
 * compilers, x86-64. A function of which any instruction is not understood, or that lets others know
 * addresses in its frame, is left out: everything in it counts as needed. docs/internals/folding.md. */
#ifndef TARGET_LIVENESS_H
#define TARGET_LIVENESS_H

#include "engine/loop/fold.h"

#include <stdint.h>

/* The places found in the executable at `path`, by address, at most `room` of them. 0, too, when it cannot be read. */
uint32_t liveness_find(const char *path, struct fold_place *places, uint32_t room);

#endif

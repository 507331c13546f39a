/* SPDX-License-Identifier: Apache-2.0 */
/* What a program may still read after an atomic access: for each call of __tsan_atomic*, which callee-saved registers
 * and which words of the caller's frame hold values that some path uses before it overwrites them. Machine code of both
 * compilers, x86-64. A function of which any instruction is not understood is left out, and so is what follows where one lets
 * others know addresses in its frame: everything counts as needed there. docs/internals/explore/folding.md. */
#ifndef TARGET_LIVENESS_H
#define TARGET_LIVENESS_H

#include "engine/loop/fold.h"

#include <stdint.h>

/* For each call of an atomic access: null, or why nothing is known about it, and because of which instruction (0: none). */
struct liveness_listener {
    void (*place)(void *context, const char *function, uint64_t pc, const char *why, uint64_t at);
    void *context;
};

/* The places found in the executable at `path`, by address; none when it cannot be read. The listener may be null. */
void liveness_find(const char *path, struct fold_places *places, const struct liveness_listener *listener);

/* The same for every call at which a thread of `plumb prove` can stop: plain accesses, allocations and mutexes, too. What is only of
 * use to folding (exits, patience) is left out. */
void liveness_find_all(const char *path, struct fold_places *places);

#endif

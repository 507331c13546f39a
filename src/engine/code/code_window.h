/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code between two hooks: gcc announces both sides of the copy of a structure before it copies, the side that is
 * written first. Where a write has left no trace, only the code shows whether it is still to come. */
#ifndef ENGINE_CODE_WINDOW_H
#define ENGINE_CODE_WINDOW_H

#include <stdbool.h>

enum code_answer {
    CODE_STORES, /* something is stored, or the way leads elsewhere first */
    /* The code goes straight to the call that returns to `end`, and stores nothing */
    CODE_NO_STORE,
    CODE_UNKNOWN,
};

/* From `at` on. `frame_counts`: what is stored relative to the frame of the function may be the data in question; else it
 * is the compiler's own business. */
enum code_answer code_window(const void *at, const void *end, bool frame_counts);

#endif

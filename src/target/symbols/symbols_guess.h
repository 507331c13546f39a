/* SPDX-License-Identifier: Apache-2.0 */
/* What lies in memory that was allocated: a guess by what stands where that happened. Private to the symbols. */
#ifndef TARGET_SYMBOLS_GUESS_H
#define TARGET_SYMBOLS_GUESS_H

#include "target/symbols/symbols_heap.h"

/* Fills in name and type of a block of block->size bytes that `code` allocated; false: nothing is known. What its source
 * says counts (symbols_source.h), in the innermost function first; else, with `variables`, the pointers that the functions
 * declare. */
bool symbols_guess_block(struct symbols_module *m, uint64_t code, bool variables,
                         struct symbols_block *block);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of variable length on stacks: how many elements a row has is computed, from registers and from words of the frame.
 * Private to the symbols. */
#ifndef TARGET_SYMBOLS_ARRAYS_H
#define TARGET_SYMBOLS_ARRAYS_H

#include "target/symbols/symbols_heap.h"

/* Fills in name, place, type and indices; false when it is not known which variable it is, or how it is divided. */
bool symbols_find_array(struct symbols_module *m, const struct worker_array *array,
                        struct symbols_block *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions are layers around atomics and locks: of an access in one of them the line that called it says more. */
#ifndef TARGET_SYMBOLS_WRAPPERS_H
#define TARGET_SYMBOLS_WRAPPERS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Is `function`, or what was inlined there, a statement or two for a location that it is given: `store_release(int *)`,
 * or the member `load` of a small class? The source is read for it. */
bool symbols_is_wrapper(Dwarf_Die *function);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Variables without a fixed address: those of functions that run, and those that each thread has. Private to the symbols. */
#ifndef TARGET_SYMBOLS_LOCALS_H
#define TARGET_SYMBOLS_LOCALS_H

#include "target/symbols/symbols_heap.h"

/* Distance of a function's frame base from its frame pointer: what locations in its frame count from. */
bool symbols_frame_base(Dwarf_Die *function, int64_t *base);
/* Distance of a variable from there. False: it has no place of its own in the frame. */
bool symbols_frame_place(const Dwarf_Op *ops, size_t count, int64_t *place);

/* "worker: local", of a variable or, without a name, of an address. */
const char *symbols_name_local(struct symbols_module *m, Dwarf_Die *function, const char *variable,
                               uint64_t address);

/* Bytes before the thread pointer that are the program's own variables; 0: none, or another machine than x86-64. */
uint64_t symbols_storage_size(struct symbols_module *m);

/* Fills in name ("worker: local"), place, size and type of the variable at `address`, in the frame that ends at `top`
 * of the function that runs at `code`. One without name, or that has no place, is an untyped byte. */
bool symbols_find_local(struct symbols_module *m, uint64_t code, uint64_t top, uint64_t address,
                        struct symbols_block *out);

/* The same for the storage of a thread that begins before `pointer`: "mine of T1". */
bool symbols_find_storage(struct symbols_module *m, uint64_t pointer, uint64_t address, uint32_t thread,
                          struct symbols_block *out);

#endif

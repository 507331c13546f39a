/* SPDX-License-Identifier: Apache-2.0 */
/* What the files behind symbols.h share. */
#ifndef TARGET_SYMBOLS_INSIDE_H
#define TARGET_SYMBOLS_INSIDE_H

#include "base/hash.h"
#include "base/vec.h"
#include "target/symbols/symbols.h"
#include "target/symbols/symbols_heap.h"
#include "target/symbols/symbols_module.h"

struct symbols {
    struct symbols_module *modules;
    uint32_t module_count;
    struct hash_map place_of_pc;
    VEC(struct symbol_place) places;
    struct symbols_heap heap;
    char *folder; /* the working directory, with a slash behind; null: unknown */
    struct arena strings;
};

/* The module that a run-time address belongs to, ready to be asked; null: none. */
struct symbols_module *symbols_find_module(struct symbols *s, uint64_t address);

/* `program+0x1234`, for an address without a better name. */
void symbols_add_module_offset(struct symbols *s, uint64_t address, struct text *out);

#endif

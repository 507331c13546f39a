/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the program got at run time, and a guess at what lies there. Private to the symbols. */
#ifndef TARGET_SYMBOLS_HEAP_H
#define TARGET_SYMBOLS_HEAP_H

#include "target/symbols/symbols_module.h"

struct symbols_block {
    uint64_t address, size;
    const char *name; /* of the type, "heap" when it is not known */
    uint32_t ordinal; /* counts the blocks of one name, from 1 */
    uint64_t element; /* bytes of one of the objects in the block; 0: the type is not known */
    Dwarf_Die type;
};

/* Empty when zero-initialised. */
struct symbols_heap {
    struct symbols_block *data; /* without overlaps, sorted by address */
    size_t len, cap;
    struct symbols_heap_count *counts; /* blocks so far, by name */
    size_t counts_len, counts_cap;
};

/* `m` is the module that allocated, at its address `code`; null: unknown. */
void symbols_heap_add(struct symbols_heap *h, uint64_t address, uint64_t size, struct symbols_module *m,
                      uint64_t code);
const struct symbols_block *symbols_heap_find(const struct symbols_heap *h, uint64_t address);

/* Empty again and ready for use. */
void symbols_heap_free(struct symbols_heap *h);

#endif

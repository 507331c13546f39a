/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the program got at run time: on the heap, with a guess at what lies there, on stacks and in the storage of
 * threads. Private to the symbols. */
#ifndef TARGET_SYMBOLS_HEAP_H
#define TARGET_SYMBOLS_HEAP_H

#include "target/symbols/symbols_module.h"

enum { SYMBOLS_DIMENSIONS = 4 };

struct symbols_block {
    uint64_t address, size;
    const char *name; /* of the type, "heap" when it is not known; of a variable its own */
    uint32_t ordinal; /* counts the blocks of one name, from 1 */
    /* The first one of a name has no number, and it is no object that a pointer reads like */
    bool variable;
    /* bytes before the first object: in C++ the number of elements of an array */
    uint64_t shift;
    uint64_t element; /* bytes of one of the objects in the block; 0: the type is not known */
    Dwarf_Die type;
    /* Of an array of variable length: elements that a step of each index is, the first one first */
    unsigned dimensions;
    uint64_t strides[SYMBOLS_DIMENSIONS];
    uint64_t top; /* where its frame ends */
};

/* Empty when zero-initialised. */
struct symbols_heap {
    struct symbols_block *data; /* without overlaps, sorted by address */
    size_t len, cap;
    struct symbols_heap_count *counts; /* blocks so far, by name */
    size_t counts_len, counts_cap;
};

/* The block gets its number. */
void symbols_heap_add(struct symbols_heap *h, struct symbols_block block);
/* A variable on a stack, or a thread's own. The same one as before at that address keeps its number. */
void symbols_heap_add_variable(struct symbols_heap *h, struct symbols_block variable);
const struct symbols_block *symbols_heap_find(const struct symbols_heap *h, uint64_t address);

/* Empty again and ready for use. */
void symbols_heap_free(struct symbols_heap *h);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* State of everything that holds values without order of their own: a table
 * from (key, sub) to a word, with a hash that does not depend on the route by
 * which it was filled.
 *
 * Entries are dense, so that "the n-th element" costs nothing and a clone has
 * them in the same order (nondeterministic operations rely on that). Few
 * entries are found by looking at all of them; an index is kept only beyond
 * TABLE_SCANNED. A small state is a single allocation. */
#ifndef SPEC_TABLE_H
#define SPEC_TABLE_H

#include <plumb/spec.h>

#include "base/text.h"

#define TABLE_NONE UINT32_MAX
#define TABLE_SCANNED 8

struct table_entry {
    uint64_t key, sub, word;
};

struct table {
    struct plumb_values *values;
    struct table_entry *entries; /* `inside`, or a block of its own */
    uint32_t *slots;             /* position + 1 by hash of (key, sub), 0: free; null: not indexed */
    uint32_t count, capacity;
    uint32_t slot_mask;
    uint64_t sum;   /* of the mixed entries */
    uint64_t extra; /* belongs to the specification, and to the state's identity */
    plumb_value initial;
    struct table_entry inside[];
};

void *table_init(const struct plumb_spec_options *options);
void table_destroy(void *state);
void *table_clone(const void *state);
uint64_t table_hash(const void *state);
bool table_equal(const void *a, const void *b);
size_t table_footprint(const void *state);

#define TABLE_STATE                                                                         \
    .init = table_init, .destroy = table_destroy, .clone = table_clone, .hash = table_hash, \
    .equal = table_equal, .footprint = table_footprint

/* Position of (key, sub), or TABLE_NONE. */
uint32_t table_find(const struct table *t, uint64_t key, uint64_t sub);

/* Appends an entry that is not there yet and returns its position. */
uint32_t table_insert(struct table *t, uint64_t key, uint64_t sub, uint64_t word);
void table_set(struct table *t, uint32_t at, uint64_t word);

/* The last entry takes the place of the removed one. */
void table_remove(struct table *t, uint32_t at);

/* For keeping entries in an order of one's own (a heap): lift one out, let others move to where
 * it was, each leaving its own place free, and drop it at the last of these places. A place must
 * not be filled from twice. */
struct table_hole {
    struct table_entry entry;
    uint32_t slot, at;
};

struct table_hole table_lift(const struct table *t, uint32_t at);
void table_fill(struct table *t, struct table_hole *hole, uint32_t from);
void table_drop(struct table *t, const struct table_hole *hole);

/* Tables whose word is a number of copies. */
void table_add_copy(struct table *t, uint64_t key, uint64_t sub);
void table_drop_copy(struct table *t, uint32_t at);

/* Prints the entries by (sub as a signed number, key), each with `print`. */
typedef void table_printer(struct text *out, const struct table *t, const struct table_entry *e);
size_t table_print(const struct table *t, const char *brackets, table_printer *print, char *buffer,
                   size_t size);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* State of objects that are a single word: register, counter, lock, ... */
#ifndef SPEC_CELL_H
#define SPEC_CELL_H

#include <plumb/spec.h>

struct cell {
    struct plumb_values *values;
    uint64_t word;  /* a value, a number or an owner */
    uint64_t bound; /* barrier: parties; fixed when the object starts */
};

struct cell *cell_create(const struct plumb_spec_options *options, uint64_t word, uint64_t bound);

/* --init as a number, else `otherwise`. */
int64_t cell_initial_number(const struct plumb_spec_options *options, int64_t otherwise);

/* The usual values of plumb_spec.valid_initial. */
bool cell_initial_is_any(const struct plumb_values *values, plumb_value initial);
bool cell_initial_is_int(const struct plumb_values *values, plumb_value initial);
bool cell_initial_is_count(const struct plumb_values *values, plumb_value initial);
bool cell_initial_is_positive(const struct plumb_values *values, plumb_value initial);

void cell_destroy(void *state);
void *cell_clone(const void *state);
uint64_t cell_hash(const void *state);
bool cell_equal(const void *a, const void *b);
size_t cell_footprint(const void *state);

#define CELL_STATE                                                                        \
    .destroy = cell_destroy, .clone = cell_clone, .hash = cell_hash, .equal = cell_equal, \
    .footprint = cell_footprint

/* Adds to the number in the cell; false, and nothing happens, beyond 64 bits. */
bool cell_add(struct cell *c, int64_t amount);

size_t cell_print_number(const void *state, char *buffer, size_t size);

#endif

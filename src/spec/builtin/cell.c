/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/builtin/builtin.h"

#include "base/hash.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>

struct cell *cell_create(const struct plumb_spec_options *options, uint64_t word, uint64_t bound)
{
    struct cell *c = base_alloc(sizeof *c);
    *c = (struct cell){.values = options->values, .word = word, .bound = bound};
    return c;
}

int64_t cell_initial_number(const struct plumb_spec_options *options, int64_t otherwise)
{
    return plumb_is_int(options->initial) ? plumb_int_of(options->values, options->initial) : otherwise;
}

bool cell_initial_is_any(const struct plumb_values *values, plumb_value initial)
{
    (void)values;
    return initial != PLUMB_OK && initial != PLUMB_ANY;
}

bool cell_initial_is_int(const struct plumb_values *values, plumb_value initial)
{
    (void)values;
    return plumb_is_int(initial);
}

bool cell_initial_is_count(const struct plumb_values *values, plumb_value initial)
{
    return plumb_is_int(initial) && plumb_int_of(values, initial) >= 0;
}

bool cell_initial_is_positive(const struct plumb_values *values, plumb_value initial)
{
    return plumb_is_int(initial) && plumb_int_of(values, initial) >= 1;
}

void cell_destroy(void *state)
{
    free(state);
}

void *cell_clone(const void *state)
{
    struct cell *copy = base_alloc(sizeof *copy);
    *copy = *(const struct cell *)state;
    return copy;
}

uint64_t cell_hash(const void *state)
{
    const struct cell *c = state;
    return hash_combine(hash_word(c->word), c->bound);
}

bool cell_equal(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    return x->word == y->word && x->bound == y->bound;
}

size_t cell_footprint(const void *state)
{
    (void)state;
    return sizeof(struct cell);
}

bool cell_add(struct cell *c, int64_t amount)
{
    int64_t sum;
    if (__builtin_add_overflow((int64_t)c->word, amount, &sum))
        return false;
    c->word = (uint64_t)sum;
    return true;
}

size_t cell_print_number(const void *state, char *buffer, size_t size)
{
    return (size_t)snprintf(buffer, size, "%" PRId64, (int64_t)((const struct cell *)state)->word);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The tests that `plumb auto` generates: matrices of calls, a column for each thread. */
#ifndef CLI_AUTO_TESTS_H
#define CLI_AUTO_TESTS_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { AUTO_ROWS_MAX = 8, AUTO_COLUMNS_MAX = 8 };

/* Calls, or sequences of calls, as they stand in tests; PROTOCOL_ANY_ARGUMENT in them is an open argument. */
typedef VEC(const char *) auto_calls;

struct auto_test {
    uint32_t columns;
    uint32_t rows[AUTO_COLUMNS_MAX];
    uint32_t calls[AUTO_COLUMNS_MAX][AUTO_ROWS_MAX];
};

struct auto_size {
    uint32_t rows, columns;
};

/* "2x3": two calls of each of three threads. */
bool auto_parse_size(const char *text, struct auto_size *size);

/* "push(1) pop | push(2) pop"; open arguments become 1, 2, 3, ... */
void auto_print_test(struct text *out, const struct auto_test *t, const auto_calls *calls);

/* Every matrix of at most this size, once: small ones first; among those of one size, those that need only the first
 * of the calls; of those that differ in the order of threads, one. */
struct auto_enumeration {
    struct auto_size most, size; /* of the next test */
    uint32_t calls;
    uint32_t newest; /* the last call, which the tests at hand have to use */
    uint64_t columns[AUTO_COLUMNS_MAX];
    bool started, ended;
};

struct auto_enumeration auto_enumerate(struct auto_size most, uint32_t calls);
bool auto_next(struct auto_enumeration *e, struct auto_test *t);

/* How many there are; infinity when more than a double can count exactly. */
double auto_count(struct auto_size most, uint32_t calls);

/* Test number `number` of a sample; the same seed, the same tests. */
void auto_sample(struct auto_size size, uint32_t calls, uint64_t seed, uint64_t number, struct auto_test *t);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The tests that `plumb auto` generates: matrices of calls, a column for each thread. */
#ifndef AUTOTEST_AUTO_TESTS_H
#define AUTOTEST_AUTO_TESTS_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { AUTO_ROWS_MAX = 8, AUTO_COLUMNS_MAX = 8, AUTO_ENDS_MAX = 4 };

/* A call, or a sequence of calls, as it stands in tests; PROTOCOL_ANY_ARGUMENT and its like in it are open arguments. */
struct auto_call {
    const char *text;
    uint32_t roles; /* that may call it (spec/roles.h) */
    uint32_t key;   /* what PROTOCOL_KEY stands for; 0: it has none */
    /* "+lock:0": its thread holds that then, "?lock:0": perhaps, "-lock:0": it must have held it; null: none of these. With a star
     * behind the sign a thread that holds it may take it again, with an ampersand several threads may hold it */
    const char *holds;
};
typedef VEC(struct auto_call) auto_calls;

/* Adds what a line of the harness' list stands for, the roles behind it included: one call, or one with each key, of which the
 * second ones follow with auto_add_second_keys. The line is changed, and has to stay. */
void auto_add_calls(auto_calls *calls, char *line);
void auto_add_second_keys(auto_calls *calls);

struct auto_test {
    uint32_t columns;
    uint32_t rows[AUTO_COLUMNS_MAX];
    uint32_t calls[AUTO_COLUMNS_MAX][AUTO_ROWS_MAX];
    uint32_t init_count, init[AUTO_ENDS_MAX];   /* before the threads start */
    uint32_t final_count, final[AUTO_ENDS_MAX]; /* after they have ended */
    uint64_t salt;                              /* of a sample: decides PROTOCOL_SOME_VALUE */
    /* Which of the unusual values its elements have, from 1; AUTO_MIXED: some of them have one; 0: none has */
    uint32_t unusual;
};
enum { AUTO_MIXED = UINT32_MAX };

/* How many ways there are to give the test's elements unusual values. */
uint32_t auto_unusual_count(const struct auto_test *t, const auto_calls *calls);
/* Has it more elements than there are values, which have to be distinct? */
bool auto_lacks_values(const struct auto_test *t, const auto_calls *calls);

struct auto_size {
    uint32_t rows, columns;
};

/* "2x3": two calls of each of three threads. */
bool auto_parse_size(const char *text, struct auto_size *size);

/* Keys are names, of which a test needs the first one first. */
bool auto_is_first_by_keys(const struct auto_test *t, const auto_calls *calls);
/* May the threads call what they do? `single`: the roles that are for one thread. */
bool auto_keeps_roles(const struct auto_test *t, const auto_calls *calls, uint32_t single);

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

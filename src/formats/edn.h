/* SPDX-License-Identifier: Apache-2.0 */
/* EDN, the notation of Clojure's data, as values of histories.
 *
 * Integers of 64 bits, booleans, nil and strings are what they are. Lists and vectors, which Clojure takes
 * for equal, are arrays. Everything else becomes a string or an array that no other EDN means, so that equal
 * values are equal things of the file and only these:
 *   :key "~:key"   symbol "~$symbol"   \c "~cc"   big integer "~n123"   1/3 "~r1/3"
 *   1.5 "~f1.5"   1.50M "~d15e-1"
 *   #{1 2} ["~#{}",1,2]   {:a 1} ["~#{:}","~:a",1]   #inst "..." ["~#inst","..."]
 * with the items of sets and maps in the order of plumb_compare. A string that looks like one of these gets
 * another '~' in front. */
#ifndef FORMATS_EDN_H
#define FORMATS_EDN_H

#include "base/diagnostic.h"
#include "base/text.h"
#include "base/vec.h"

#include <plumb/value.h>

#define EDN_SET "~#{}"
#define EDN_MAP "~#{:}"

enum { EDN_DEPTH_MAX = 32 };

struct edn {
    struct plumb_values *values;
    struct diagnostic *d;
    const char *at, *end; /* *end is 0 */
    const char *line_start;
    uint64_t line;
    unsigned depth;
    VEC(plumb_value) items; /* of the collections being read */
    struct text scratch;
};

struct edn_place {
    uint64_t line, column;
};

void edn_start(struct edn *e, struct plumb_values *values, const char *bytes, size_t length,
               struct diagnostic *d);
void edn_free(struct edn *e);

static inline struct edn_place edn_here(const struct edn *e)
{
    return (struct edn_place){e->line, (uint64_t)(e->at - e->line_start) + 1};
}

/* Says that what is at `place` is wrong. Always false. */
bool edn_fail(struct edn *e, struct edn_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* Skips white space, comments and discarded forms. */
bool edn_skip(struct edn *e);

/* Skips to the next form, and that must not be `stop` (another closing bracket or the end of the text).
 * *found is false at `stop`, which was passed. */
bool edn_next(struct edn *e, char stop, struct edn_place opened, bool *found);

/* The form that starts here. */
bool edn_value(struct edn *e, plumb_value *out);

/* The token that starts here: bytes up to the next delimiter. */
size_t edn_token_length(const struct edn *e);

/* ---- parts, each in a file of its own ---- */

/* A string, e->at is its quote; a character, e->at is its backslash. */
bool edn_string(struct edn *e, plumb_value *out);
bool edn_character(struct edn *e, plumb_value *out);

/* Behind the line end at e->at. */
void edn_pass_line_end(struct edn *e);

/* The number that a token means; the token starts with a digit, perhaps after a sign. */
bool edn_number(struct edn *e, const char *token, size_t length, plumb_value *out);

/* Is this what edn_number writes for a number beyond 64 bits, of the kind of `tag` (n, r, f, d)? */
bool edn_is_odd_number(char tag, const char *bytes, size_t length);

bool edn_is_delimiter(char c);
bool edn_is_keyword(const char *name, size_t length); /* without the colon */
bool edn_is_symbol(const char *name, size_t length);

/* The value of a string of the file. */
plumb_value edn_string_value(struct edn *e, const char *bytes, size_t length);

/* Does the string stand for something else in EDN than a string of its bytes? */
bool edn_is_special(const char *bytes, size_t length);

/* The value in EDN. False: nothing in EDN is read as this value (a head "~#..." with the wrong items). */
bool edn_print(struct text *out, const struct plumb_values *values, plumb_value v);

#endif

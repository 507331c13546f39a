/* SPDX-License-Identifier: Apache-2.0 */
/* Values of operations: arguments and results.
 *
 * A value is one 64-bit word. Small integers, null, booleans, two markers and
 * pairs of smaller integers are inside the word, and so are pairs of a key and
 * a string, by their numbers; wide integers, strings and all other arrays live in a pool (`struct plumb_values`) that stores equal
 * contents once. Two values of the same pool are therefore equal exactly when
 * their words are equal.
 *
 * A pool owns its strings and arrays until plumb_values_destroy. */
#ifndef PLUMB_VALUE_H
#define PLUMB_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the libraries export. */
#ifndef PLUMB_API
#define PLUMB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* In a harness (plumb.h) it is a pointer to nothing: `return v;` for `return PLUMB_INT(v);` does not compile, and the compiler
 * prints the name of this structure. */
#ifdef PLUMB_POINTER_VALUES_
typedef struct plumb_write_PLUMB_INT_or_PLUMB_BOOL_ *plumb_value;
#else
typedef uint64_t plumb_value;
#endif

enum plumb_tag {
    PLUMB_TAG_SMALL = 0,   /* integer of at most 61 bits, in the word */
    PLUMB_TAG_SPECIAL = 1, /* one of the constants below */
    PLUMB_TAG_WIDE = 2,    /* any other 64-bit integer, in the pool */
    PLUMB_TAG_STRING = 3,
    PLUMB_TAG_ARRAY = 4, /* any array but these pairs, in the pool */
    PLUMB_TAG_PAIR = 5,  /* array of two integers of at most 30 bits, in the word */
    /* array of such an integer or one of the first 2^30 strings, and one of the first 2^30 strings, in the word */
    PLUMB_TAG_KEYED = 6,
};

#define PLUMB_NONE ((plumb_value)0x01)  /* JSON null: "empty", "absent" */
#define PLUMB_FALSE ((plumb_value)0x09) /* JSON false */
#define PLUMB_TRUE ((plumb_value)0x11)  /* JSON true */
#define PLUMB_OK ((plumb_value)0x19)    /* no argument, or a plain "done" as result */
#define PLUMB_ANY ((plumb_value)0x21)   /* result not known: matches every result */

#define PLUMB_SMALL_MAX (((int64_t)1 << 60) - 1)
#define PLUMB_SMALL_MIN (-((int64_t)1 << 60))
#define PLUMB_PAIR_MAX (((int64_t)1 << 29) - 1)
#define PLUMB_PAIR_MIN (-((int64_t)1 << 29))

struct plumb_values;

/* Specifications that are loaded at run time (plumb/spec.h) call these functions. */
#pragma GCC visibility push(default)

PLUMB_API struct plumb_values *plumb_values_create(void);
PLUMB_API void plumb_values_destroy(struct plumb_values *pool);
PLUMB_API size_t plumb_values_bytes(const struct plumb_values *pool); /* about what it occupies */

static inline enum plumb_tag plumb_tag_of(plumb_value v)
{
    return (enum plumb_tag)((uint64_t)v & 7);
}

static inline plumb_value plumb_bool(bool b)
{
    return b ? PLUMB_TRUE : PLUMB_FALSE;
}

static inline bool plumb_is_bool(plumb_value v)
{
    return v == PLUMB_TRUE || v == PLUMB_FALSE;
}

static inline bool plumb_is_int(plumb_value v)
{
    return plumb_tag_of(v) == PLUMB_TAG_SMALL || plumb_tag_of(v) == PLUMB_TAG_WIDE;
}

/* The value of any 64-bit integer. */
PLUMB_API plumb_value plumb_wide_int(struct plumb_values *pool, int64_t i);

static inline plumb_value plumb_int(struct plumb_values *pool, int64_t i)
{
    if (i >= PLUMB_SMALL_MIN && i <= PLUMB_SMALL_MAX)
        return (plumb_value)((uint64_t)i << 3);
    return plumb_wide_int(pool, i);
}

/* The integer behind `v`, which must satisfy plumb_is_int. */
PLUMB_API int64_t plumb_wide_int_of(const struct plumb_values *pool, plumb_value v);

static inline int64_t plumb_int_of(const struct plumb_values *pool, plumb_value v)
{
    if (plumb_tag_of(v) == PLUMB_TAG_SMALL)
        return (int64_t)v >> 3;
    return plumb_wide_int_of(pool, v);
}

PLUMB_API plumb_value plumb_string(struct plumb_values *pool, const char *bytes, size_t length);
PLUMB_API const char *plumb_string_of(const struct plumb_values *pool, plumb_value v, size_t *length);

PLUMB_API plumb_value plumb_array(struct plumb_values *pool, const plumb_value *items, size_t count);

static inline bool plumb_is_array(plumb_value v)
{
    return plumb_tag_of(v) >= PLUMB_TAG_ARRAY;
}

/* For `v` with PLUMB_TAG_ARRAY only; the functions below take every array. */
PLUMB_API size_t plumb_pooled_array_count(const struct plumb_values *pool, plumb_value v);
PLUMB_API plumb_value plumb_pooled_array_item(const struct plumb_values *pool, plumb_value v, size_t i);

static inline size_t plumb_array_count(const struct plumb_values *pool, plumb_value v)
{
    return plumb_tag_of(v) > PLUMB_TAG_ARRAY ? 2 : plumb_pooled_array_count(pool, v);
}

/* Bit 3 says that the first item is a string. */
static inline plumb_value plumb_keyed_item(plumb_value v, size_t i)
{
    uint64_t word = (uint64_t)v;
    if (i)
        return (plumb_value)((word << 30 >> 34) << 3 | PLUMB_TAG_STRING);
    return (plumb_value)(word & 8 ? word >> 34 << 3 | PLUMB_TAG_STRING
                                  : (uint64_t)((int64_t)word >> 34) << 3);
}

/* Item `i` < plumb_array_count of the array `v`. A pair has its first item in the upper 30 bits and the
 * second one in the 30 bits below. */
static inline plumb_value plumb_array_item(const struct plumb_values *pool, plumb_value v, size_t i)
{
    if (plumb_tag_of(v) <= PLUMB_TAG_ARRAY || i > 1)
        return plumb_pooled_array_item(pool, v, i);
    if (plumb_tag_of(v) == PLUMB_TAG_PAIR)
        return (plumb_value)((uint64_t)((int64_t)((uint64_t)v << (i ? 30 : 0)) >> 34) << 3);
    return plumb_keyed_item(v, i);
}

/* Integers by number, then every other kind by tag and content (all arrays are one kind): a total order. */
PLUMB_API int plumb_compare(const struct plumb_values *pool, plumb_value a, plumb_value b);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif

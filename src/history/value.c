/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of values. Strings and arrays are interned byte contents: arrays
 * hold words that are interned already, so equal bytes mean equal arrays.
 * Pairs of 30-bit integers, and of such a key and a string, are words of their own and never interned. */
#include <plumb/value.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

struct content {
    const void *bytes;
    uint32_t size;
    uint32_t hash;
};

/* Contents by number, and an open-addressing table of their numbers plus one. */
struct interner {
    VEC(struct content) contents;
    uint32_t *slots; /* 0: free */
    size_t capacity; /* power of two, or 0 */
};

struct plumb_values {
    struct arena bytes;
    struct interner strings, arrays;
    VEC(int64_t) wides;
    struct hash_map wide_numbers;
};

enum { FIRST_CAPACITY = 64 };

static const plumb_value no_bytes[1]; /* content of size 0, aligned for any kind */

struct plumb_values *plumb_values_create(void)
{
    return NEW(struct plumb_values);
}

static void interner_free(struct interner *in)
{
    vec_free(&in->contents);
    free(in->slots);
}

void plumb_values_destroy(struct plumb_values *pool)
{
    if (!pool)
        return;
    interner_free(&pool->strings);
    interner_free(&pool->arrays);
    vec_free(&pool->wides);
    hash_map_free(&pool->wide_numbers);
    arena_free(&pool->bytes);
    free(pool);
}

static size_t interner_bytes(const struct interner *in)
{
    return in->contents.cap * sizeof *in->contents.data + in->capacity * sizeof *in->slots;
}

size_t plumb_values_bytes(const struct plumb_values *pool)
{
    return pool->bytes.total + interner_bytes(&pool->strings) + interner_bytes(&pool->arrays) +
           pool->wides.cap * sizeof *pool->wides.data;
}

static plumb_value value_make(enum plumb_tag tag, uint32_t number)
{
    return (plumb_value)number << 3 | tag;
}

static void interner_grow(struct interner *in)
{
    size_t capacity = in->capacity ? in->capacity * 2 : FIRST_CAPACITY;
    free(in->slots);
    in->slots = NEW_ZEROED(uint32_t, capacity);
    in->capacity = capacity;
    for (size_t number = 0; number < in->contents.len; number++) {
        size_t slot = in->contents.data[number].hash & (capacity - 1);
        while (in->slots[slot])
            slot = (slot + 1) & (capacity - 1);
        in->slots[slot] = (uint32_t)number + 1;
    }
}

/* The slot that holds the content, or the free one where it belongs. */
static uint32_t *interner_slot(const struct interner *in, const void *bytes, size_t size, uint32_t hash)
{
    size_t slot = hash & (in->capacity - 1);
    for (; in->slots[slot]; slot = (slot + 1) & (in->capacity - 1)) {
        const struct content *c = &in->contents.data[in->slots[slot] - 1];
        if (c->hash == hash && c->size == size && memcmp(c->bytes, bytes, size) == 0)
            break;
    }
    return &in->slots[slot];
}

/* Copies are followed by one zero byte when `terminated`. */
static const void *copy_bytes(struct arena *a, const void *bytes, size_t size, bool terminated)
{
    if (size + terminated == 0)
        return no_bytes;
    char *copy = arena_alloc(a, size + terminated);
    memcpy(copy, bytes, size);
    if (terminated)
        copy[size] = 0;
    return copy;
}

static uint32_t interner_number(struct interner *in, struct arena *a, const void *bytes, size_t size,
                                bool terminated)
{
    CHECK(size < UINT32_MAX && in->contents.len < UINT32_MAX - 1);
    if (size == 0)
        bytes = no_bytes;
    /* Half empty: a probe of a taken slot costs a cache miss in `contents`. */
    if (in->contents.len * 2 >= in->capacity)
        interner_grow(in);
    uint32_t hash = (uint32_t)hash_bytes(bytes, size);
    uint32_t *slot = interner_slot(in, bytes, size, hash);
    if (!*slot) {
        struct content c = {copy_bytes(a, bytes, size, terminated), (uint32_t)size, hash};
        vec_push(&in->contents, c);
        *slot = (uint32_t)in->contents.len;
    }
    return *slot - 1;
}

plumb_value plumb_wide_int(struct plumb_values *pool, int64_t i)
{
    if (i >= PLUMB_SMALL_MIN && i <= PLUMB_SMALL_MAX)
        return (plumb_value)((uint64_t)i << 3);
    uint32_t *number = hash_map_at(&pool->wide_numbers, (uint64_t)i);
    if (*number == HASH_NO_NUMBER) {
        CHECK(pool->wides.len < HASH_NO_NUMBER - 1);
        *number = (uint32_t)pool->wides.len;
        vec_push(&pool->wides, i);
    }
    return value_make(PLUMB_TAG_WIDE, *number);
}

int64_t plumb_wide_int_of(const struct plumb_values *pool, plumb_value v)
{
    if (plumb_tag_of(v) == PLUMB_TAG_SMALL)
        return (int64_t)v >> 3;
    CHECK(plumb_tag_of(v) == PLUMB_TAG_WIDE && v >> 3 < pool->wides.len);
    return pool->wides.data[v >> 3];
}

static const struct content *content_of(const struct interner *in, plumb_value v)
{
    CHECK(v >> 3 < in->contents.len);
    return &in->contents.data[v >> 3];
}

plumb_value plumb_string(struct plumb_values *pool, const char *bytes, size_t length)
{
    return value_make(PLUMB_TAG_STRING, interner_number(&pool->strings, &pool->bytes, bytes, length, true));
}

const char *plumb_string_of(const struct plumb_values *pool, plumb_value v, size_t *length)
{
    CHECK(plumb_tag_of(v) == PLUMB_TAG_STRING);
    const struct content *c = content_of(&pool->strings, v);
    if (length)
        *length = c->size;
    return c->bytes;
}

static bool value_fits_pair(plumb_value item)
{
    int64_t i = (int64_t)item >> 3;
    return plumb_tag_of(item) == PLUMB_TAG_SMALL && i >= PLUMB_PAIR_MIN && i <= PLUMB_PAIR_MAX;
}

static plumb_value value_make_pair(plumb_value first, plumb_value second)
{
    return first >> 3 << 34 | second << 31 >> 30 | PLUMB_TAG_PAIR;
}

static bool value_is_near_string(plumb_value item)
{
    return plumb_tag_of(item) == PLUMB_TAG_STRING && item >> 33 == 0;
}

static plumb_value value_make_keyed(plumb_value first, plumb_value second)
{
    uint64_t is_string = plumb_tag_of(first) == PLUMB_TAG_STRING;
    return first >> 3 << 34 | second >> 3 << 4 | is_string << 3 | PLUMB_TAG_KEYED;
}

/* Equal words mean equal arrays only because one that fits the word is never in the pool. */
plumb_value plumb_array(struct plumb_values *pool, const plumb_value *items, size_t count)
{
    if (count == 2 && value_fits_pair(items[0]) && value_fits_pair(items[1]))
        return value_make_pair(items[0], items[1]);
    if (count == 2 && value_is_near_string(items[1]) &&
        (value_fits_pair(items[0]) || value_is_near_string(items[0])))
        return value_make_keyed(items[0], items[1]);
    CHECK(count < UINT32_MAX / sizeof *items);
    size_t size = count * sizeof *items;
    return value_make(PLUMB_TAG_ARRAY, interner_number(&pool->arrays, &pool->bytes, items, size, false));
}

size_t plumb_pooled_array_count(const struct plumb_values *pool, plumb_value v)
{
    CHECK(plumb_tag_of(v) == PLUMB_TAG_ARRAY);
    return content_of(&pool->arrays, v)->size / sizeof(plumb_value);
}

plumb_value plumb_pooled_array_item(const struct plumb_values *pool, plumb_value v, size_t i)
{
    CHECK(plumb_tag_of(v) == PLUMB_TAG_ARRAY);
    const struct content *c = content_of(&pool->arrays, v);
    CHECK(i < c->size / sizeof(plumb_value));
    return ((const plumb_value *)c->bytes)[i];
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_strings(const struct plumb_values *pool, plumb_value a, plumb_value b)
{
    size_t a_length, b_length;
    const char *a_bytes = plumb_string_of(pool, a, &a_length);
    const char *b_bytes = plumb_string_of(pool, b, &b_length);
    int order = memcmp(a_bytes, b_bytes, a_length < b_length ? a_length : b_length);
    return order ? COMPARE(order, 0) : COMPARE(a_length, b_length);
}

/* Only the first two items that differ are looked into, so shared parts cost nothing. */
static int compare_arrays(const struct plumb_values *pool, plumb_value a, plumb_value b)
{
    size_t a_count = plumb_array_count(pool, a), b_count = plumb_array_count(pool, b);
    for (size_t i = 0; i < a_count && i < b_count; i++) {
        plumb_value a_item = plumb_array_item(pool, a, i), b_item = plumb_array_item(pool, b, i);
        if (a_item != b_item)
            return plumb_compare(pool, a_item, b_item);
    }
    return COMPARE(a_count, b_count);
}

int plumb_compare(const struct plumb_values *pool, plumb_value a, plumb_value b)
{
    if (a == b)
        return 0;
    bool a_is_int = plumb_is_int(a), b_is_int = plumb_is_int(b);
    if (a_is_int && b_is_int)
        return COMPARE(plumb_int_of(pool, a), plumb_int_of(pool, b));
    if (a_is_int || b_is_int)
        return b_is_int - a_is_int;
    if (plumb_is_array(a) && plumb_is_array(b))
        return compare_arrays(pool, a, b);
    if (plumb_tag_of(a) != plumb_tag_of(b))
        return COMPARE(plumb_tag_of(a), plumb_tag_of(b));
    return plumb_tag_of(a) == PLUMB_TAG_STRING ? compare_strings(pool, a, b) : COMPARE(a, b);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting of numbers: by 64-bit keys, in linear time, and by themselves. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts `items` so that keys[items[k]] ascends; equal keys keep their order. */
void sort_by_key(uint32_t *items, uint32_t count, const uint64_t *keys);

void sort_ascending(uint32_t *items, size_t count);

/* The same, and each number once. How many there are. */
size_t sort_distinct(uint32_t *items, size_t count);

/* Where it is among ascending ones; `count`: nowhere. */
size_t sort_find(const uint32_t *items, size_t count, uint32_t item);

/* Are all of the ascending, distinct numbers `few` among the ascending numbers `many`? */
bool sort_includes(const uint32_t *many, size_t many_count, const uint32_t *few, size_t few_count);

/* A string on its way through sort_texts. */
struct sort_text {
    const char *bytes;
    uint64_t head; /* its first bytes behind those that all have in common */
    uint32_t length;
    uint32_t tie; /* orders equal strings */
    uint32_t item;
};

/* By bytes, a string before those that begin with it. With how many bytes all of them begin. */
size_t sort_texts(struct sort_text *texts, size_t count);

/* Eight bytes from `from` on as a number that orders as they do; behind the end there are zeros. */
uint64_t sort_head(const char *bytes, size_t length, size_t from);

/* A signed number as a key with the same order. */
static inline uint64_t sort_key_of_signed(int64_t x)
{
    return (uint64_t)x ^ ((uint64_t)1 << 63);
}

#endif

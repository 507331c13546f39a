/* SPDX-License-Identifier: Apache-2.0 */
/* Hashing of words and bytes, and a map from 64-bit keys to 32-bit numbers. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *bytes, size_t length);

/* Where two that are equal by accident would be a wrong answer. */
struct hash_wide {
    uint64_t low, high;
};
struct hash_wide hash_bytes_wide(const void *bytes, size_t length);

/* A good mixer of one word (a bijection). */
static inline uint64_t hash_word(uint64_t x)
{
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

/* Numbers that follow each other are good enough for either. */
static inline uint64_t hash_combine(uint64_t h, uint64_t x)
{
    return hash_word(h * 0xf1357aea2e62a9c5u + x + 0x9e3779b97f4a7c15u);
}

/* Open addressing, linear probing, keys and numbers side by side.
 * A zero-initialised map is empty and ready. HASH_NO_NUMBER is not a valid number. */
#define HASH_NO_NUMBER UINT32_MAX

struct hash_map {
    uint64_t *keys;
    uint32_t *numbers;
    size_t mask; /* capacity - 1, or 0 when nothing is allocated */
    size_t count;
};

void hash_map_free(struct hash_map *map);
void hash_map_clear(struct hash_map *map);

/* Makes room for so many keys. */
void hash_map_reserve(struct hash_map *map, size_t count);

/* The number of `key`, or HASH_NO_NUMBER. */
uint32_t hash_map_get(const struct hash_map *map, uint64_t key);

/* The place of `key`'s number; a new key gets HASH_NO_NUMBER first. The
 * pointer is valid until the next call. */
uint32_t *hash_map_at(struct hash_map *map, uint64_t key);

void hash_map_remove(struct hash_map *map, uint64_t key);

#endif

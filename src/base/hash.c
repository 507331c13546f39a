/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include "base/memory.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

struct hash_wide hash_bytes_wide(const void *bytes, size_t length)
{
    XXH128_hash_t h = XXH3_128bits(bytes, length);
    return (struct hash_wide){h.low64, h.high64};
}

/* A slot is free when its number is HASH_FREE; the key is then meaningless. */
#define HASH_FREE (UINT32_MAX - 1)

enum { FIRST_CAPACITY = 16 };

void hash_map_free(struct hash_map *map)
{
    free(map->keys);
    free(map->numbers);
    *map = (struct hash_map){0};
}

static void fill_free(uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = HASH_FREE;
}

void hash_map_clear(struct hash_map *map)
{
    if (map->mask && map->count)
        fill_free(map->numbers, map->mask + 1);
    map->count = 0;
}

static inline __attribute__((always_inline)) size_t find_slot(const struct hash_map *map, uint64_t key)
{
    size_t i = hash_word(key) & map->mask;
    while (map->numbers[i] != HASH_FREE && map->keys[i] != key)
        i = (i + 1) & map->mask;
    return i;
}

/* Apart, so that looking for a key stays short. */
static __attribute__((noinline)) void resize(struct hash_map *map, size_t capacity)
{
    struct hash_map bigger = {
        .keys = NEW_ARRAY(uint64_t, capacity),
        .numbers = NEW_ARRAY(uint32_t, capacity),
        .mask = capacity - 1,
        .count = map->count,
    };
    fill_free(bigger.numbers, capacity);
    for (size_t i = 0; map->mask && i <= map->mask; i++) {
        if (map->numbers[i] == HASH_FREE)
            continue;
        size_t slot = find_slot(&bigger, map->keys[i]);
        bigger.keys[slot] = map->keys[i];
        bigger.numbers[slot] = map->numbers[i];
    }
    free(map->keys);
    free(map->numbers);
    *map = bigger;
}

void hash_map_reserve(struct hash_map *map, size_t count)
{
    size_t capacity = FIRST_CAPACITY;
    while (count * 5 >= (capacity - 1) * 4)
        capacity *= 2;
    if (capacity > map->mask + 1)
        resize(map, capacity);
}

uint32_t hash_map_get(const struct hash_map *map, uint64_t key)
{
    if (!map->mask)
        return HASH_NO_NUMBER;
    size_t i = find_slot(map, key);
    return map->numbers[i] == HASH_FREE ? HASH_NO_NUMBER : map->numbers[i];
}

uint32_t *hash_map_at(struct hash_map *map, uint64_t key)
{
    if (map->count * 5 >= map->mask * 4)
        resize(map, map->mask ? (map->mask + 1) * 2 : FIRST_CAPACITY);
    size_t i = find_slot(map, key);
    if (map->numbers[i] == HASH_FREE) {
        map->keys[i] = key;
        map->numbers[i] = HASH_NO_NUMBER;
        map->count++;
    }
    return &map->numbers[i];
}

void hash_map_remove(struct hash_map *map, uint64_t key)
{
    if (!map->mask)
        return;
    size_t hole = find_slot(map, key);
    if (map->numbers[hole] == HASH_FREE)
        return;
    map->count--;
    /* Close the gap: move back every later entry of the run that may not be reached otherwise. */
    for (size_t i = (hole + 1) & map->mask; map->numbers[i] != HASH_FREE; i = (i + 1) & map->mask) {
        size_t home = hash_word(map->keys[i]) & map->mask;
        if (((i - home) & map->mask) >= ((i - hole) & map->mask)) {
            map->keys[hole] = map->keys[i];
            map->numbers[hole] = map->numbers[i];
            hole = i;
        }
    }
    map->numbers[hole] = HASH_FREE;
}

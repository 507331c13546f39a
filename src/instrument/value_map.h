/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the code that have something: a set in the order in which they came, with one more value for each. */
#ifndef INSTRUMENT_VALUE_MAP_H
#define INSTRUMENT_VALUE_MAP_H

#include "base/hash.h"
#include "instrument/unit.h"

struct value_map {
    instruction_list keys, values;
    struct hash_map numbers;
};

static inline LLVMValueRef value_map_get(const struct value_map *m, LLVMValueRef key)
{
    uint32_t found = m->keys.len ? hash_map_get(&m->numbers, (uint64_t)key) : HASH_NO_NUMBER;
    return found == HASH_NO_NUMBER ? NULL : m->values.data[found];
}

/* False: it was there already. */
static inline bool value_map_add(struct value_map *m, LLVMValueRef key, LLVMValueRef value)
{
    uint32_t *place = hash_map_at(&m->numbers, (uint64_t)key);
    if (*place != HASH_NO_NUMBER)
        return false;
    *place = (uint32_t)m->keys.len;
    vec_push(&m->keys, key);
    vec_push(&m->values, value);
    return true;
}

/* A set: each value stands for itself. */
static inline bool value_set_add(struct value_map *m, LLVMValueRef key)
{
    return value_map_add(m, key, key);
}

static inline bool value_set_has(const struct value_map *m, LLVMValueRef key)
{
    return value_map_get(m, key) != NULL;
}

static inline void value_map_free(struct value_map *m)
{
    vec_free(&m->keys);
    vec_free(&m->values);
    hash_map_free(&m->numbers);
}

#endif

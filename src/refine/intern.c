/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/intern.h"

#include "base/hash.h"

#include <string.h>

static void place(struct intern *in, uint32_t number)
{
    size_t at = in->hashes.data[number] & in->mask;
    while (in->table[at])
        at = (at + 1) & in->mask;
    in->table[at] = number + 1;
}

static void grow(struct intern *in)
{
    size_t size = in->table ? 2 * (in->mask + 1) : 1024;
    free(in->table);
    in->table = NEW_ZEROED(uint32_t, size);
    in->mask = size - 1;
    for (uint32_t i = 0; i < intern_count(in); i++)
        place(in, i);
}

static bool is_string(const struct intern *in, uint32_t number, uint32_t hash, const void *bytes,
                      size_t length)
{
    size_t have;
    if (in->hashes.data[number] != hash)
        return false;
    const uint8_t *own = intern_get(in, number, &have);
    return have == length && (!length || !memcmp(own, bytes, length));
}

static uint32_t append(struct intern *in, uint32_t hash, const void *bytes, size_t length)
{
    vec_reserve(&in->bytes, in->bytes.len + length);
    if (length)
        memcpy(in->bytes.data + in->bytes.len, bytes, length);
    in->bytes.len += length;
    vec_push(&in->ends, in->bytes.len);
    vec_push(&in->hashes, hash);
    return (uint32_t)intern_count(in) - 1;
}

uint32_t intern_add(struct intern *in, const void *bytes, size_t length, bool *is_new)
{
    if (!in->table || intern_count(in) * 4 > in->mask * 3)
        grow(in);
    uint32_t hash = (uint32_t)hash_bytes(bytes, length);
    size_t at = hash & in->mask;
    for (; in->table[at]; at = (at + 1) & in->mask) {
        if (is_string(in, in->table[at] - 1, hash, bytes, length)) {
            if (is_new)
                *is_new = false;
            return in->table[at] - 1;
        }
    }
    uint32_t number = append(in, hash, bytes, length);
    in->table[at] = number + 1;
    if (is_new)
        *is_new = true;
    return number;
}

/* A table that once was large is not cleared again and again for a few strings. */
void intern_clear(struct intern *in)
{
    if (in->table && in->mask > 4096 && in->mask / 16 > intern_count(in)) {
        free(in->table);
        in->table = NULL;
    } else if (in->table) {
        memset(in->table, 0, (in->mask + 1) * sizeof *in->table);
    }
    vec_clear(&in->bytes);
    vec_clear(&in->ends);
    vec_clear(&in->hashes);
}

size_t intern_footprint(const struct intern *in)
{
    return in->bytes.cap + in->ends.cap * sizeof *in->ends.data + in->hashes.cap * sizeof *in->hashes.data +
           (in->table ? (in->mask + 1) * sizeof *in->table : 0);
}

void intern_free(struct intern *in)
{
    vec_free(&in->bytes);
    vec_free(&in->ends);
    vec_free(&in->hashes);
    free(in->table);
    *in = (struct intern){0};
}

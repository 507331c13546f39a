/* SPDX-License-Identifier: Apache-2.0 */
/* Byte strings, each kept once and numbered from 0 in the order of arrival. */
#ifndef REFINE_INTERN_H
#define REFINE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct intern {
    VEC(uint8_t) bytes;
    VEC(uint64_t) ends;   /* of each string in `bytes` */
    VEC(uint32_t) hashes; /* of each string, so that growing reads no bytes */
    uint32_t *table;      /* numbers + 1; 0: free */
    size_t mask;
};

/* The number of the string; *is_new (may be null) says whether it came now. */
uint32_t intern_add(struct intern *in, const void *bytes, size_t length, bool *is_new);

/* Valid until the next string is added. */
static inline const uint8_t *intern_get(const struct intern *in, uint32_t number, size_t *length)
{
    uint64_t start = number ? in->ends.data[number - 1] : 0;
    if (length)
        *length = in->ends.data[number] - start;
    return in->bytes.data + start;
}

static inline size_t intern_count(const struct intern *in)
{
    return in->ends.len;
}

/* Forgets all strings. */
void intern_clear(struct intern *in);

size_t intern_footprint(const struct intern *in);
void intern_free(struct intern *in);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and values as the bytes of docs/binary_format.md. */
#ifndef RECORD_BYTES_H
#define RECORD_BYTES_H

#include <plumb/record.h>
#include <plumb/value.h>

enum {
    BYTES_NUMBER_MAX = 10,
    BYTES_WORD_MAX = 1 + 2 * BYTES_NUMBER_MAX
}; /* of a number; of a word's value */

/* Each returns the place behind what it wrote. */
static inline char *bytes_put_number(char *at, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        *at++ = (char)(number | 0x80);
    *at++ = (char)number;
    return at;
}

static inline uint64_t bytes_zigzag(int64_t i)
{
    return (uint64_t)i << 1 ^ (uint64_t)(i >> 63);
}

/* An integer, a special or a pair of plumb/value.h. */
char *bytes_put_word(char *at, plumb_value word);

size_t bytes_item_size(struct plumb_item item);
char *bytes_put_item(char *at, struct plumb_item item);

/* The items follow. */
size_t bytes_array_head_size(size_t count);
char *bytes_put_array_head(char *at, size_t count);

#endif

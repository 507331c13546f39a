/* SPDX-License-Identifier: Apache-2.0 */
#include "record/recorder/record_bytes.h"

#include <stdio.h>
#include <string.h>

/* Tags of values. */
enum { TAG_INTEGER, TAG_SPECIAL, TAG_STRING, TAG_NEW_STRING, TAG_ARRAY, TAG_WIDE };

static size_t number_size(uint64_t number)
{
    size_t size = 1;
    for (; number >= 0x80; number >>= 7)
        size++;
    return size;
}

static char *put_tagged(char *at, unsigned tag, uint64_t rest)
{
    return bytes_put_number(at, rest << 3 | tag);
}

static bool is_wide(int64_t integer)
{
    return bytes_zigzag(integer) >> 61 != 0;
}

static char *put_integer(char *at, int64_t integer)
{
    if (!is_wide(integer))
        return put_tagged(at, TAG_INTEGER, bytes_zigzag(integer));
    at = put_tagged(at, TAG_WIDE, 0);
    memcpy(at, &integer, sizeof integer);
    return at + sizeof integer;
}

static size_t integer_size(int64_t integer)
{
    return is_wide(integer) ? 1 + sizeof integer : number_size(bytes_zigzag(integer) << 3);
}

char *bytes_put_word(char *at, plumb_value word)
{
    if (plumb_tag_of(word) == PLUMB_TAG_SMALL)
        return put_tagged(at, TAG_INTEGER, bytes_zigzag((int64_t)word >> 3));
    if (plumb_tag_of(word) == PLUMB_TAG_SPECIAL)
        return put_tagged(at, TAG_SPECIAL, word >> 3);
    at = put_tagged(at, TAG_ARRAY, 2);
    at = put_integer(at, (int64_t)word >> 34);
    return put_integer(at, (int64_t)(word << 30) >> 34);
}

/* ---- strings ---- */

/* How many bytes a character has that begins with this one; 0: none does. */
static size_t character_size(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* Neither longer than necessary, nor half of a pair of UTF-16, nor beyond Unicode. */
static bool is_second_byte(unsigned char first, unsigned char second)
{
    unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high;
}

static bool is_utf8(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    while (at < end) {
        size_t size = character_size(*at);
        if (size == 0 || size > (size_t)(end - at) || (size > 1 && !is_second_byte(at[0], at[1])))
            return false;
        for (size_t i = 2; i < size; i++)
            if ((at[i] & 0xc0) != 0x80)
                return false;
        at += size;
    }
    return true;
}

static char *put_string(char *at, const char *text, size_t length)
{
    at = put_tagged(at, TAG_NEW_STRING, length);
    if (length)
        memcpy(at, text, length);
    return at + length;
}

static char *put_text(char *at, const char *text, size_t length)
{
    if (is_utf8(text, length))
        return put_string(at, text, length);
    at = bytes_put_array_head(at, length);
    for (size_t i = 0; i < length; i++)
        at = put_integer(at, (unsigned char)text[i]);
    return at;
}

static size_t text_size(const char *text, size_t length)
{
    if (is_utf8(text, length))
        return number_size((uint64_t)length << 3) + length;
    size_t size = bytes_array_head_size(length);
    for (size_t i = 0; i < length; i++)
        size += integer_size((unsigned char)text[i]);
    return size;
}

/* ---- items ---- */

enum { DIGITS_MAX = 24 };

static size_t print_unsigned(char digits[DIGITS_MAX], int64_t integer)
{
    return (size_t)snprintf(digits, DIGITS_MAX, "%llu", (unsigned long long)integer);
}

size_t bytes_item_size(struct plumb_item item)
{
    char digits[DIGITS_MAX];
    switch (item.kind & 7) {
    case PLUMB_ITEM_INTEGER: return integer_size(item.is.integer);
    case PLUMB_ITEM_UNSIGNED: return 1 + print_unsigned(digits, item.is.integer) + 1;
    case PLUMB_ITEM_SPECIAL: return 1;
    default: return text_size(item.is.text, item.kind >> 3);
    }
}

char *bytes_put_item(char *at, struct plumb_item item)
{
    char digits[DIGITS_MAX];
    switch (item.kind & 7) {
    case PLUMB_ITEM_INTEGER: return put_integer(at, item.is.integer);
    case PLUMB_ITEM_UNSIGNED: return put_string(at, digits, print_unsigned(digits, item.is.integer));
    case PLUMB_ITEM_SPECIAL: return put_tagged(at, TAG_SPECIAL, (uint64_t)item.is.integer);
    default: return put_text(at, item.is.text, item.kind >> 3);
    }
}

size_t bytes_array_head_size(size_t count)
{
    return number_size((uint64_t)count << 3 | TAG_ARRAY);
}

char *bytes_put_array_head(char *at, size_t count)
{
    return put_tagged(at, TAG_ARRAY, count);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "history/value_text.h"

#include <string.h>

enum { SHORT_HEAD = 28, SHORT_TAIL = 12 }; /* columns; a UUID in quotes is still whole */

void value_print_int(struct text *out, int64_t i)
{
    char digits[20];
    char *end = digits + sizeof digits, *first = end;
    uint64_t rest = i < 0 ? -(uint64_t)i : (uint64_t)i;
    do
        *--first = (char)('0' + rest % 10);
    while (rest /= 10);
    if (i < 0)
        *--first = '-';
    text_add(out, first, (size_t)(end - first));
}

static bool is_continuation(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/* The second byte's range excludes overlong forms, surrogates and code points above 10FFFF. */
size_t value_utf8_length(const char *bytes, size_t left)
{
    const unsigned char *p = (const unsigned char *)bytes;
    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return 0;
    size_t length = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (left < length)
        return 0;
    unsigned char low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < low || p[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (!is_continuation(p[i]))
            return 0;
    return length;
}

static uint32_t decode(const char *bytes, size_t length)
{
    const unsigned char *p = (const unsigned char *)bytes;
    if (length == 1)
        return p[0];
    uint32_t code = p[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (p[i] & 0x3f);
    return code;
}

/* Characters that move the cursor, reorder the text or show nothing at all. */
static bool is_unsafe(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x2069) || code == 0xfeff;
}

static void print_escape(struct text *out, uint32_t code)
{
    static const char short_escapes[][3] = {
        ['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f", ['\r'] = "\\r"};
    if (code < sizeof short_escapes / sizeof short_escapes[0] && short_escapes[code][0])
        text_add(out, short_escapes[code], 2);
    else
        text_printf(out, "\\u%04x", code);
}

static void print_character(struct text *out, const char *bytes, size_t length)
{
    uint32_t code = decode(bytes, length);
    if (code == '"' || code == '\\')
        text_add(out, "\\", 1);
    if (is_unsafe(code))
        print_escape(out, code);
    else
        text_add(out, bytes, length);
}

static size_t plain_prefix(const char *bytes, size_t length)
{
    size_t i = 0;
    while (i < length && bytes[i] >= 0x20 && bytes[i] < 0x7f && bytes[i] != '"' && bytes[i] != '\\')
        i++;
    return i;
}

void value_print_string(struct text *out, const char *bytes, size_t length)
{
    text_add(out, "\"", 1);
    for (size_t i = 0; i < length;) {
        size_t plain = plain_prefix(bytes + i, length - i);
        text_add(out, bytes + i, plain);
        i += plain;
        if (i == length)
            break;
        size_t sequence = value_utf8_length(bytes + i, length - i);
        if (sequence)
            print_character(out, bytes + i, sequence);
        else
            text_puts(out, "\\ufffd");
        i += sequence ? sequence : 1;
    }
    text_add(out, "\"", 1);
}

static void print_items(struct text *out, const struct plumb_values *pool, plumb_value array)
{
    size_t count = plumb_array_count(pool, array);
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_puts(out, ",");
        value_print(out, pool, plumb_array_item(pool, array, i));
    }
}

static const char *special_text(plumb_value v)
{
    switch (v) {
    case PLUMB_NONE: return "null";
    case PLUMB_FALSE: return "false";
    case PLUMB_TRUE: return "true";
    case PLUMB_ANY: return "{\"unknown\":true}";
    default: return "ok";
    }
}

void value_print(struct text *out, const struct plumb_values *pool, plumb_value v)
{
    size_t length;
    switch (plumb_tag_of(v)) {
    case PLUMB_TAG_SMALL:
    case PLUMB_TAG_WIDE: value_print_int(out, plumb_int_of(pool, v)); break;
    case PLUMB_TAG_STRING: {
        const char *bytes = plumb_string_of(pool, v, &length);
        value_print_string(out, bytes, length);
        break;
    }
    case PLUMB_TAG_ARRAY:
    case PLUMB_TAG_PAIR:
    case PLUMB_TAG_KEYED:
        text_puts(out, "[");
        print_items(out, pool, v);
        text_puts(out, "]");
        break;
    default: text_puts(out, special_text(v));
    }
}

/* Where the character begins with which the first `columns` columns are used up. */
static size_t skip_columns(const struct text *t, size_t columns)
{
    size_t i = 0;
    for (size_t used = 0, wide; i < t->len; used += wide) {
        size_t length = text_character(t->data + i, t->len - i, &wide);
        if (used + wide > columns)
            break;
        i += length;
    }
    return i;
}

void value_print_short(struct text *out, const struct plumb_values *pool, plumb_value v)
{
    struct text whole = {0};
    value_print(&whole, pool, v);
    size_t columns = text_columns_of(whole.data, whole.len);
    if (columns <= SHORT_HEAD + SHORT_TAIL) {
        text_add(out, whole.data, whole.len);
    } else {
        text_add(out, whole.data, skip_columns(&whole, SHORT_HEAD));
        text_puts(out, "...");
        text_puts(out, whole.data + skip_columns(&whole, columns - SHORT_TAIL));
    }
    text_free(&whole);
}

void value_print_result(struct text *out, const struct plumb_values *pool, plumb_value result)
{
    if (result == PLUMB_OK)
        return;
    text_puts(out, " = ");
    if (result == PLUMB_NONE)
        text_puts(out, "empty");
    else if (result == PLUMB_ANY)
        text_puts(out, "unknown");
    else
        value_print_short(out, pool, result);
}

static void print_arguments(struct text *out, const struct plumb_values *pool, plumb_value array)
{
    size_t count = plumb_array_count(pool, array);
    for (size_t i = 0; i < count; i++) {
        text_puts(out, i ? ", " : "");
        value_print_short(out, pool, plumb_array_item(pool, array, i));
    }
}

void value_print_op(struct text *out, const struct plumb_values *pool, const char *name,
                    bool several_arguments, const struct history_op *op)
{
    text_puts(out, name);
    text_puts(out, "(");
    if (several_arguments && plumb_is_array(op->arg))
        print_arguments(out, pool, op->arg);
    else if (op->arg != PLUMB_OK)
        value_print_short(out, pool, op->arg);
    text_puts(out, ")");
    if (op->pending)
        text_puts(out, " pending");
    else
        value_print_result(out, pool, op->result);
}

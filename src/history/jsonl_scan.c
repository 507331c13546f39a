/* SPDX-License-Identifier: Apache-2.0 */
#include "history/jsonl_scan.h"

#include "history/value_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void jsonl_scan_free(struct jsonl_scan *s)
{
    text_free(&s->decoded);
    vec_free(&s->items);
}

static uint64_t column_of(const struct jsonl_scan *s, const char *at)
{
    return (uint64_t)(at - s->line) + 1;
}

const char *jsonl_fail(struct jsonl_scan *s, int code, const char *at, const char *format, ...)
{
    char message[sizeof s->d->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    diagnostic_set(s->d, code, s->line_number, column_of(s, at), "%s", message);
    return NULL;
}

const char *jsonl_fail_expected(struct jsonl_scan *s, int code, const char *at, const char *expected)
{
    unsigned char c = (unsigned char)*at;
    if (c == '\n' || (c == '\r' && at[1] == '\n'))
        return jsonl_fail(s, code, at, "expected %s, found the end of the line", expected);
    if (c > 0x20 && c < 0x7f)
        return jsonl_fail(s, code, at, "expected %s, found '%c'", expected, c);
    return jsonl_fail(s, code, at, "expected %s, found byte 0x%02x", expected, c);
}

/* ---- numbers ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

const char *jsonl_scan_odd_int(struct jsonl_scan *s, const char *at, int64_t *out)
{
    const char *first = at + (*at == '-'), *p = first;
    if (!is_digit(*first))
        return jsonl_fail_expected(s, PL_SYNTAX, first, "a digit after '-'");
    while (is_digit(*p))
        p++;
    if (*first == '0' && p - first > 1)
        return jsonl_fail(s, PL_SYNTAX, at, "a number cannot have leading zeros");
    if (*p == '.' || *p == 'e' || *p == 'E')
        return jsonl_fail(s, PL_NUMBER_RANGE, at, "expected a 64-bit integer, found a number with %s",
                          *p == '.' ? "a fraction" : "an exponent");
    static const char smallest[] = "-9223372036854775808";
    if ((size_t)(p - at) == sizeof smallest - 1 && memcmp(at, smallest, sizeof smallest - 1) == 0) {
        *out = INT64_MIN;
        return p;
    }
    return jsonl_fail(s, PL_NUMBER_RANGE, at, "expected a 64-bit integer, found a number beyond that range");
}

/* ---- strings ---- */

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hexadecimal digits. */
static const char *scan_hex(struct jsonl_scan *s, const char *at, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, at++) {
        int digit = hex_digit(*at);
        if (digit < 0)
            return jsonl_fail_expected(s, PL_SYNTAX, at, "four hexadecimal digits after \\u");
        *code = *code << 4 | (uint32_t)digit;
    }
    return at;
}

static void add_code_point(struct text *t, uint32_t code)
{
    char bytes[4];
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3f));
    bytes[0] = (char)(lead[length] | code);
    text_add(t, bytes, length);
}

/* \uXXXX, or two of them for a character beyond FFFF; `at` is the backslash. */
static const char *scan_unicode_escape(struct jsonl_scan *s, const char *at)
{
    uint32_t code, low;
    const char *p = scan_hex(s, at + 2, &code);
    if (!p)
        return NULL;
    if (code >= 0xdc00 && code <= 0xdfff)
        return jsonl_fail(s, PL_SYNTAX, at, "the second half of a surrogate pair stands alone");
    if (code >= 0xd800 && code <= 0xdbff) {
        if (p[0] != '\\' || p[1] != 'u')
            return jsonl_fail(s, PL_SYNTAX, at, "the first half of a surrogate pair stands alone");
        p = scan_hex(s, p + 2, &low);
        if (!p)
            return NULL;
        if (low < 0xdc00 || low > 0xdfff)
            return jsonl_fail(s, PL_SYNTAX, at, "the first half of a surrogate pair stands alone");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    add_code_point(&s->decoded, code);
    return p;
}

static const char *scan_escape(struct jsonl_scan *s, const char *at)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (at[1] == 'u')
        return scan_unicode_escape(s, at);
    const char *letter = at[1] ? strchr(letters, at[1]) : NULL;
    if (!letter)
        return jsonl_fail_expected(s, PL_SYNTAX, at + 1, "one of \"\\/bfnrtu after a backslash");
    text_add(&s->decoded, &meanings[letter - letters], 1);
    return at + 2;
}

/* Passes printable ASCII other than quotes and backslashes, eight bytes at a time: there are enough of them behind the end of a line. In `odd` the
 * highest bit of the first other byte is set, and none below it; higher ones may be set wrongly. */
static const char *skip_ascii(const char *at)
{
    const uint64_t ones = 0x0101010101010101u;
    for (;; at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        uint64_t quote = (word ^ ones * '"') - ones, backslash = (word ^ ones * '\\') - ones;
        uint64_t odd = (quote | backslash | (word - ones * 0x20) | word) & ones * 0x80;
        if (odd)
            return at + __builtin_ctzll(odd) / 8;
    }
}

/* Passes bytes that stand for themselves; stops at a quote or a backslash. */
static const char *scan_plain_bytes(struct jsonl_scan *s, const char *at)
{
    for (;;) {
        at = skip_ascii(at);
        unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            return at;
        if (c == '\n' || (c == '\r' && at[1] == '\n'))
            return jsonl_fail_expected(s, PL_SYNTAX, at, "'\"' at the end of the string");
        if (c < 0x20)
            return jsonl_fail(s, PL_SYNTAX, at, "byte 0x%02x has to be escaped in a string", c);
        size_t length = value_utf8_length(at, JSONL_SLACK);
        if (!length)
            return jsonl_fail(s, PL_SYNTAX, at, "byte 0x%02x is not valid UTF-8 here", c);
        at += length;
    }
}

static const char *scan_escaped_string(struct jsonl_scan *s, const char *first, const char *backslash)
{
    text_clear(&s->decoded);
    text_add(&s->decoded, first, (size_t)(backslash - first));
    const char *p = backslash;
    while (*p == '\\') {
        const char *plain = scan_escape(s, p);
        if (!plain)
            return NULL;
        p = scan_plain_bytes(s, plain);
        if (!p)
            return NULL;
        text_add(&s->decoded, plain, (size_t)(p - plain));
    }
    return p + 1;
}

const char *jsonl_scan_string(struct jsonl_scan *s, const char *at, const char **bytes, size_t *length)
{
    const char *first = at + 1;
    const char *end = scan_plain_bytes(s, first);
    if (!end)
        return NULL;
    if (*end == '"') {
        *bytes = first;
        *length = (size_t)(end - first);
        return end + 1;
    }
    const char *behind = scan_escaped_string(s, first, end);
    *bytes = s->decoded.data;
    *length = s->decoded.len;
    return behind;
}

/* ---- values ---- */

static const char *scan_nested(struct jsonl_scan *s, const char *at, unsigned depth, plumb_value *out);

/* Items wait on one stack shared by all nested arrays. */
static const char *scan_items(struct jsonl_scan *s, const char *at, unsigned depth)
{
    const char *p = jsonl_skip_space(at + 1);
    if (*p == ']')
        return p + 1;
    for (;;) {
        plumb_value item;
        p = scan_nested(s, p, depth + 1, &item);
        if (!p)
            return NULL;
        vec_push(&s->items, item);
        p = jsonl_skip_space(p);
        if (*p == ']')
            return p + 1;
        if (*p != ',')
            return jsonl_fail_expected(s, PL_SYNTAX, p, "',' or ']' after an item");
        p = jsonl_skip_space(p + 1);
    }
}

static const char *scan_array(struct jsonl_scan *s, const char *at, unsigned depth, plumb_value *out)
{
    if (depth == JSONL_DEPTH_MAX)
        return jsonl_fail(s, PL_SYNTAX, at, "arrays are nested more than %d deep", JSONL_DEPTH_MAX);
    size_t base = s->items.len;
    const char *p = scan_items(s, at, depth);
    if (p)
        *out = plumb_array(s->values, s->items.data ? s->items.data + base : NULL, s->items.len - base);
    s->items.len = base;
    return p;
}

/* Of a constant text, so that words are compared. */
#define LITERAL_IS(at, text) (memcmp((at), text, sizeof text - 1) == 0)

static const char *scan_literal(struct jsonl_scan *s, const char *at, plumb_value *out)
{
    if (LITERAL_IS(at, "true")) {
        *out = PLUMB_TRUE;
        return at + 4;
    }
    if (LITERAL_IS(at, "null")) {
        *out = PLUMB_NONE;
        return at + 4;
    }
    if (LITERAL_IS(at, "false")) {
        *out = PLUMB_FALSE;
        return at + 5;
    }
    if (*at == '{')
        return jsonl_fail(
            s, PL_BAD_FIELD, at,
            "an object is not a value: values are integers, booleans, null, strings and arrays");
    return jsonl_fail_expected(s, PL_SYNTAX, at, "a value (integer, true, false, null, string or array)");
}

static const char *scan_nested(struct jsonl_scan *s, const char *at, unsigned depth, plumb_value *out)
{
    if (jsonl_starts_number(*at)) {
        int64_t i;
        const char *p = jsonl_scan_int(s, at, &i);
        if (p)
            *out = plumb_int(s->values, i);
        return p;
    }
    if (*at == '"') {
        const char *bytes;
        size_t length;
        const char *p = jsonl_scan_string(s, at, &bytes, &length);
        if (p)
            *out = plumb_string(s->values, bytes, length);
        return p;
    }
    if (*at == '[')
        return scan_array(s, at, depth, out);
    return scan_literal(s, at, out);
}

const char *jsonl_scan_value(struct jsonl_scan *s, const char *at, plumb_value *out)
{
    return scan_nested(s, at, 0, out);
}

const char *jsonl_scan_op_name(struct jsonl_scan *s, const char *at, struct history *h, uint16_t *op)
{
    const char *name;
    size_t length;
    const char *end = jsonl_scan_string(s, at, &name, &length);
    if (!end)
        return NULL;
    if (memchr(name, 0, length))
        return jsonl_fail(s, PL_BAD_FIELD, at, "the name of an operation cannot contain \\u0000");
    *op = history_op_name(h, name, length);
    if (*op == HISTORY_NO_NAME)
        return jsonl_fail(s, PL_TOO_LARGE, at, "more than %d different operation names", HISTORY_NAMES_MAX);
    return end;
}

const char *jsonl_scan_unknown(struct jsonl_scan *s, const char *at)
{
    static const char *const tokens[] = {"{", "\"unknown\"", ":", "true", "}"};
    const char *p = at;
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        size_t length = strlen(tokens[i]);
        p = jsonl_skip_space(p);
        if (memcmp(p, tokens[i], length) != 0)
            return jsonl_fail(s, PL_BAD_FIELD, at,
                              "the only object that can be a result is {\"unknown\":true}");
        p += length;
    }
    return p;
}

/* ---- members ---- */

const char *jsonl_scan_member(struct jsonl_object *o, const char *at, unsigned *member, const char **name,
                              size_t *length)
{
    if (*at != '"')
        return jsonl_fail_expected(o->scan, PL_SYNTAX, at, "'\"' to start the name of a member");
    const char *p = jsonl_scan_string(o->scan, at, name, length);
    for (*member = 0; p && o->names[*member]; ++*member) {
        const char *known = o->names[*member];
        if (*known == **name && strlen(known) == *length && memcmp(known, *name, *length) == 0)
            return p;
    }
    *member = JSONL_MEMBERS_MAX;
    return p;
}

const char *jsonl_fail_kind(struct jsonl_object *o, const char *at, unsigned member, const char *kind,
                            const char *hint)
{
    char expected[160];
    int code = *at && strchr("\"[{tfn-0123456789", *at) ? PL_BAD_FIELD : PL_SYNTAX;
    snprintf(expected, sizeof expected, "%s for \"%s\"", kind, o->names[member]);
    if (hint)
        return jsonl_fail(o->scan, code, at, "expected %s%s", expected, hint);
    return jsonl_fail_expected(o->scan, code, at, expected);
}

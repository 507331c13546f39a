/* SPDX-License-Identifier: Apache-2.0 */
/* Strings and characters. */
#include "formats/edn.h"

#include "history/value_text.h"

#include <string.h>

static void add_utf8(struct text *t, uint32_t code)
{
    char bytes[4];
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3f));
    bytes[0] = (char)(first[length] | code);
    text_add(t, bytes, length);
}

/* Four hexadecimal digits; UINT32_MAX: there are none. The text ends with a zero. */
static uint32_t scan_hex4(const char *at)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit = c >= '0' && c <= '9'                     ? c - '0'
                    : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                             : -1;
        if (digit < 0)
            return UINT32_MAX;
        code = code << 4 | (uint32_t)digit;
    }
    return code;
}

static bool is_surrogate(uint32_t code)
{
    return code >= 0xd800 && code < 0xe000;
}

/* "\uXXXX", or two of them for one character; e->at is the backslash. */
static bool scan_unicode_escape(struct edn *e)
{
    struct edn_place place = edn_here(e);
    uint32_t code = scan_hex4(e->at + 2);
    if (code == UINT32_MAX)
        return edn_fail(e, place, "expected four hexadecimal digits after '\\u'");
    e->at += 6;
    if (is_surrogate(code)) {
        uint32_t low = e->at[0] == '\\' && e->at[1] == 'u' ? scan_hex4(e->at + 2) : UINT32_MAX;
        if (code >= 0xdc00 || low == UINT32_MAX || low < 0xdc00 || low >= 0xe000)
            return edn_fail(e, place, "half of a surrogate pair");
        code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
        e->at += 6;
    }
    add_utf8(&e->scratch, code);
    return true;
}

static bool scan_escape(struct edn *e)
{
    static const char names[] = "tnrbf\\\"", meanings[] = "\t\n\r\b\f\\\"";
    char c = e->at[1];
    if (c == 'u')
        return scan_unicode_escape(e);
    const char *name = c ? strchr(names, c) : NULL;
    if (!name)
        return edn_fail(e, edn_here(e), "unknown escape in a string");
    text_add(&e->scratch, &meanings[name - names], 1);
    e->at += 2;
    return true;
}

static bool add_character(struct edn *e)
{
    size_t length = value_utf8_length(e->at, (size_t)(e->end - e->at));
    if (!length)
        return edn_fail(e, edn_here(e), "byte 0x%02x is not UTF-8", (unsigned char)*e->at);
    text_add(&e->scratch, e->at, length);
    e->at += length;
    return true;
}

static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* The rest of a string that is not plain from its opening quote to its closing one. */
static bool scan_odd_string(struct edn *e, struct edn_place opened)
{
    while (*e->at != '"') {
        const char *plain = e->at;
        if (e->at == e->end)
            return edn_fail(e, opened, "this string has no end");
        if (*e->at == '\\') {
            if (!scan_escape(e))
                return false;
        } else if (*e->at == '\n') {
            text_add(&e->scratch, "\n", 1);
            edn_pass_line_end(e);
        } else if (is_plain(*e->at)) {
            while (is_plain(*e->at))
                e->at++;
            text_add(&e->scratch, plain, (size_t)(e->at - plain));
        } else if (!add_character(e)) {
            return false;
        }
    }
    return true;
}

bool edn_string(struct edn *e, plumb_value *out)
{
    struct edn_place opened = edn_here(e);
    const char *first = ++e->at;
    while (is_plain(*e->at))
        e->at++;
    if (*e->at == '"') {
        *out = edn_string_value(e, first, (size_t)(e->at - first));
    } else {
        text_clear(&e->scratch);
        text_add(&e->scratch, first, (size_t)(e->at - first));
        if (!scan_odd_string(e, opened))
            return false;
        *out = edn_string_value(e, e->scratch.data, e->scratch.len);
    }
    e->at++;
    return true;
}

static bool add_named_character(struct edn *e, const char *name, size_t length)
{
    static const struct {
        const char *name;
        char c;
    } named[] = {{"newline", '\n'}, {"return", '\r'},   {"space", ' '},
                 {"tab", '\t'},     {"formfeed", '\f'}, {"backspace", '\b'}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strlen(named[i].name) == length && !memcmp(name, named[i].name, length)) {
            text_add(&e->scratch, &named[i].c, 1);
            return true;
        }
    return false;
}

/* e->at is the backslash. The character may be a delimiter itself. */
bool edn_character(struct edn *e, plumb_value *out)
{
    struct edn_place place = edn_here(e);
    const char *first = e->at + 1;
    if (first == e->end || *first == '\n')
        return edn_fail(e, place, "no character follows '\\'");
    text_clear(&e->scratch);
    text_puts(&e->scratch, "~c");
    e->at = first;
    size_t length = edn_token_length(e), one = value_utf8_length(first, (size_t)(e->end - first));
    uint32_t code = length == 5 && *first == 'u' ? scan_hex4(first + 1) : UINT32_MAX;
    if (one && length <= one)
        length = one, text_add(&e->scratch, first, one);
    else if (code != UINT32_MAX && !is_surrogate(code))
        add_utf8(&e->scratch, code);
    else if (!add_named_character(e, first, length))
        return edn_fail(e, place, "no character has this name");
    e->at = first + length;
    *out = plumb_string(e->values, e->scratch.data, e->scratch.len);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Which strings stand for what, and values as text. */
#include "formats/edn.h"

#include "history/value_text.h"

#include <string.h>

/* ---- names ---- */

static bool is_token(const char *name, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t one = value_utf8_length(name + i, length - i);
        if (!one || edn_is_delimiter(name[i]) || (unsigned char)name[i] < 0x20 || name[i] == 0x7f)
            return false;
        i += one;
    }
    return length > 0;
}

bool edn_is_keyword(const char *name, size_t length)
{
    return is_token(name, length) && name[0] != ':' && name[0] != '/';
}

bool edn_is_symbol(const char *name, size_t length)
{
    static const char *const words[] = {"nil", "true", "false"};
    if (!is_token(name, length) || strchr("0123456789:#'^@`~", name[0]))
        return false;
    if ((name[0] == '-' || name[0] == '+') && length > 1 && name[1] >= '0' && name[1] <= '9')
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && !memcmp(words[i], name, length))
            return false;
    return true;
}

/* ---- strings that stand for something else ---- */

static bool is_float(const char *bytes, size_t length)
{
    return (length == 3 && (!memcmp(bytes, "Inf", 3) || !memcmp(bytes, "NaN", 3))) ||
           (length == 4 && !memcmp(bytes, "-Inf", 4)) || edn_is_odd_number('f', bytes, length);
}

/* "~:key" and the like; the tilde and the letter are passed. */
static bool stands_for_scalar(char tag, const char *bytes, size_t length)
{
    switch (tag) {
    case ':': return edn_is_keyword(bytes, length);
    case '$': return edn_is_symbol(bytes, length);
    case 'c': return length > 0 && value_utf8_length(bytes, length) == length;
    case 'f': return is_float(bytes, length);
    case 'n':
    case 'r':
    case 'd': return edn_is_odd_number(tag, bytes, length);
    default: return false;
    }
}

bool edn_is_special(const char *bytes, size_t length)
{
    while (length > 1 && bytes[0] == '~' && bytes[1] == '~')
        bytes++, length--;
    return length > 1 && bytes[0] == '~' && stands_for_scalar(bytes[1], bytes + 2, length - 2);
}

plumb_value edn_string_value(struct edn *e, const char *bytes, size_t length)
{
    if (length < 2 || bytes[0] != '~' || !edn_is_special(bytes, length))
        return plumb_string(e->values, bytes, length);
    struct text escaped = {0};
    text_puts(&escaped, "~");
    text_add(&escaped, bytes, length);
    plumb_value v = plumb_string(e->values, escaped.data, escaped.len);
    text_free(&escaped);
    return v;
}

/* ---- printing ---- */

static void print_string(struct text *out, const char *bytes, size_t length)
{
    text_add(out, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        const char *escape = strchr("\tt\nn\rr\\\\\"\"", c);
        if (c && escape && (c == '\\' || c == '"' || c < 0x20)) {
            char pair[2] = {'\\', escape[1]};
            text_add(out, pair, 2);
        } else if (c < 0x20 || c == 0x7f) {
            text_printf(out, "\\u%04x", c);
        } else {
            text_add(out, bytes + i, 1);
        }
    }
    text_add(out, "\"", 1);
}

static void print_character(struct text *out, const char *bytes, size_t length)
{
    static const char *const names[] = {['\n'] = "newline", ['\r'] = "return",   [' '] = "space",
                                        ['\t'] = "tab",     ['\f'] = "formfeed", ['\b'] = "backspace"};
    unsigned char c = (unsigned char)*bytes;
    text_puts(out, "\\");
    if (c < sizeof names / sizeof *names && names[c])
        text_puts(out, names[c]);
    else if (c < 0x20)
        text_printf(out, "u%04x", c);
    else
        text_add(out, bytes, length);
}

static void print_scalar(struct text *out, char tag, const char *bytes, size_t length)
{
    bool symbolic = tag == 'f' && (bytes[length - 1] == 'f' || bytes[length - 1] == 'N');
    if (tag == 'c') {
        print_character(out, bytes, length);
        return;
    }
    text_puts(out, tag == ':' ? ":" : symbolic ? "##" : "");
    text_add(out, bytes, length);
    text_puts(out, tag == 'd' ? "M" : tag == 'n' ? "N" : "");
}

static void print_string_value(struct text *out, const char *bytes, size_t length)
{
    if (!edn_is_special(bytes, length))
        print_string(out, bytes, length);
    else if (bytes[1] == '~')
        print_string(out, bytes + 1, length - 1);
    else
        print_scalar(out, bytes[1], bytes + 2, length - 2);
}

static bool print_items(struct text *out, const struct plumb_values *values, plumb_value array, size_t first)
{
    size_t count = plumb_array_count(values, array);
    for (size_t i = first; i < count; i++) {
        text_puts(out, i > first ? " " : "");
        if (!edn_print(out, values, plumb_array_item(values, array, i)))
            return false;
    }
    return true;
}

/* Are the first words of the groups of `size` items strictly ascending? */
static bool is_sorted(const struct plumb_values *values, plumb_value array, size_t size)
{
    size_t count = plumb_array_count(values, array);
    if ((count - 1) % size)
        return false;
    for (size_t i = 1 + size; i < count; i += size)
        if (plumb_compare(values, plumb_array_item(values, array, i - size),
                          plumb_array_item(values, array, i)) >= 0)
            return false;
    return true;
}

/* An array with a head that begins with "~#". */
static bool print_headed(struct text *out, const struct plumb_values *values, plumb_value array,
                         const char *head, size_t length)
{
    bool is_map = length == strlen(EDN_MAP) && !memcmp(head, EDN_MAP, length);
    if (is_map || (length == strlen(EDN_SET) && !memcmp(head, EDN_SET, length))) {
        text_puts(out, is_map ? "{" : "#{");
        bool fine = is_sorted(values, array, is_map ? 2 : 1) && print_items(out, values, array, 1);
        text_puts(out, "}");
        return fine;
    }
    if (!edn_is_symbol(head + 2, length - 2) || plumb_array_count(values, array) != 2)
        return false;
    text_puts(out, "#");
    text_add(out, head + 2, length - 2);
    text_puts(out, " ");
    return print_items(out, values, array, 1);
}

/* The number of tildes in front of '#'; 0: the value is no such string. */
static size_t head_tildes(const struct plumb_values *values, plumb_value v)
{
    size_t length, tildes = 0;
    if (plumb_tag_of(v) != PLUMB_TAG_STRING)
        return 0;
    const char *bytes = plumb_string_of(values, v, &length);
    while (tildes < length && bytes[tildes] == '~')
        tildes++;
    return tildes < length && bytes[tildes] == '#' ? tildes : 0;
}

static bool print_array(struct text *out, const struct plumb_values *values, plumb_value array)
{
    size_t count = plumb_array_count(values, array), length;
    plumb_value head = count ? plumb_array_item(values, array, 0) : PLUMB_NONE;
    size_t tildes = head_tildes(values, head);
    if (tildes == 1) {
        const char *bytes = plumb_string_of(values, head, &length);
        return print_headed(out, values, array, bytes, length);
    }
    text_puts(out, "[");
    if (tildes) {
        const char *bytes = plumb_string_of(values, head, &length);
        print_string(out, bytes + 1, length - 1);
        text_puts(out, count > 1 ? " " : "");
    }
    bool fine = print_items(out, values, array, tildes ? 1 : 0);
    text_puts(out, "]");
    return fine;
}

bool edn_print(struct text *out, const struct plumb_values *values, plumb_value v)
{
    size_t length;
    switch (plumb_tag_of(v)) {
    case PLUMB_TAG_SMALL:
    case PLUMB_TAG_WIDE: value_print_int(out, plumb_int_of(values, v)); return true;
    case PLUMB_TAG_STRING: {
        const char *bytes = plumb_string_of(values, v, &length);
        print_string_value(out, bytes, length);
        return true;
    }
    case PLUMB_TAG_ARRAY:
    case PLUMB_TAG_PAIR:
    case PLUMB_TAG_KEYED: return print_array(out, values, v);
    default:
        text_puts(out, v == PLUMB_TRUE ? "true" : v == PLUMB_FALSE ? "false" : "nil");
        return v == PLUMB_TRUE || v == PLUMB_FALSE || v == PLUMB_NONE;
    }
}

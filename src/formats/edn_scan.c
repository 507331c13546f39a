/* SPDX-License-Identifier: Apache-2.0 */
/* From text to values. */
#include "formats/edn.h"

#include "history/value_text.h"

#include <stdio.h>
#include <string.h>

void edn_start(struct edn *e, struct plumb_values *values, const char *bytes, size_t length,
               struct diagnostic *d)
{
    bool has_mark = length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3);
    *e = (struct edn){.values = values,
                      .d = d,
                      .at = bytes + 3 * has_mark,
                      .end = bytes + length,
                      .line_start = bytes,
                      .line = 1};
}

void edn_free(struct edn *e)
{
    vec_free(&e->items);
    text_free(&e->scratch);
}

bool edn_fail(struct edn *e, struct edn_place place, const char *format, ...)
{
    char message[sizeof e->d->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return diagnostic_set(e->d, PL_BAD_EDN, place.line, place.column, "%s", message);
}

/* ---- between forms ---- */

void edn_pass_line_end(struct edn *e)
{
    e->at++;
    e->line++;
    e->line_start = e->at;
}

static bool skip_discarded(struct edn *e)
{
    struct edn_place place = edn_here(e);
    plumb_value ignored;
    if (e->depth >= EDN_DEPTH_MAX)
        return edn_fail(e, place, "forms are nested more than %d deep", EDN_DEPTH_MAX);
    e->at += 2;
    e->depth++;
    if (!edn_skip(e))
        return false;
    if (e->at == e->end)
        return edn_fail(e, place, "nothing follows '#_'");
    if (!edn_value(e, &ignored))
        return false;
    e->depth--;
    return true;
}

bool edn_skip(struct edn *e)
{
    for (;;) {
        switch (*e->at) {
        case ' ':
        case '\t':
        case '\r':
        case '\f':
        case '\v':
        case ',': e->at++; break;
        case '\n': edn_pass_line_end(e); break;
        case ';': {
            const char *line_end = memchr(e->at, '\n', (size_t)(e->end - e->at));
            e->at = line_end ? line_end : e->end;
            break;
        }
        case '#':
            if (e->at[1] != '_')
                return true;
            if (!skip_discarded(e))
                return false;
            break;
        default: return true;
        }
    }
}

bool edn_next(struct edn *e, char stop, struct edn_place opened, bool *found)
{
    *found = false;
    if (!edn_skip(e))
        return false;
    if (e->at == e->end)
        return edn_fail(e, opened, "this has no closing '%c'", stop);
    if (*e->at == stop) {
        e->at++;
        return true;
    }
    if (*e->at == ')' || *e->at == ']' || *e->at == '}')
        return edn_fail(e, edn_here(e), "expected '%c', found '%c'", stop, *e->at);
    *found = true;
    return true;
}

/* ---- tokens ---- */

bool edn_is_delimiter(char c)
{
    static const bool delimiters[256] = {
        [0] = true,    [' '] = true, ['\t'] = true, ['\n'] = true, ['\r'] = true, ['\f'] = true,
        ['\v'] = true, [','] = true, ['"'] = true,  ['('] = true,  [')'] = true,  ['['] = true,
        [']'] = true,  ['{'] = true, ['}'] = true,  [';'] = true,  ['\\'] = true};
    return delimiters[(unsigned char)c];
}

size_t edn_token_length(const struct edn *e)
{
    size_t length = 0;
    while (!edn_is_delimiter(e->at[length]))
        length++;
    return length;
}

static plumb_value name_value(struct edn *e, const char *prefix, const char *name, size_t length)
{
    text_clear(&e->scratch);
    text_puts(&e->scratch, prefix);
    text_add(&e->scratch, name, length);
    return plumb_string(e->values, e->scratch.data, e->scratch.len);
}

static bool fail_token(struct edn *e, struct edn_place place, const char *token, size_t length,
                       const char *kind)
{
    struct text shown = {0};
    value_print_string(&shown, token, length < 40 ? length : 40);
    edn_fail(e, place, "%s is not %s", shown.data, kind);
    text_free(&shown);
    return false;
}

static bool scan_keyword(struct edn *e, plumb_value *out)
{
    struct edn_place place = edn_here(e);
    const char *token = e->at;
    size_t length = edn_token_length(e);
    e->at += length;
    if (!edn_is_keyword(token + 1, length - 1))
        return fail_token(e, place, token, length, "a keyword");
    *out = name_value(e, "~:", token + 1, length - 1);
    return true;
}

static bool token_is(const char *token, size_t length, const char *word)
{
    return strlen(word) == length && !memcmp(token, word, length);
}

static bool scan_symbol(struct edn *e, plumb_value *out)
{
    struct edn_place place = edn_here(e);
    const char *token = e->at;
    size_t length = edn_token_length(e);
    e->at += length;
    if (token_is(token, length, "nil"))
        *out = PLUMB_NONE;
    else if (token_is(token, length, "true"))
        *out = PLUMB_TRUE;
    else if (token_is(token, length, "false"))
        *out = PLUMB_FALSE;
    else if (length == 0)
        return edn_fail(e, place, "byte 0x%02x does not start a form", (unsigned char)*token);
    else if (!edn_is_symbol(token, length))
        return fail_token(e, place, token, length, "a symbol");
    else
        *out = name_value(e, "~$", token, length);
    return true;
}

/* Most numbers: up to eighteen digits. */
static bool scan_short_int(struct edn *e, plumb_value *out)
{
    const char *p = e->at + (*e->at == '-'), *first = p;
    int64_t sum = 0;
    for (; *p >= '0' && *p <= '9' && p - first < 18; p++)
        sum = sum * 10 + (*p - '0');
    if (!edn_is_delimiter(*p) || p == first || (*first == '0' && p - first > 1))
        return false;
    *out = plumb_int(e->values, *e->at == '-' ? -sum : sum);
    e->at = p;
    return true;
}

static bool scan_number(struct edn *e, plumb_value *out)
{
    if (scan_short_int(e, out))
        return true;
    struct edn_place place = edn_here(e);
    const char *token = e->at;
    size_t length = edn_token_length(e);
    if (!edn_number(e, token, length, out))
        return fail_token(e, place, token, length, "a number, or one too large");
    e->at += length;
    return true;
}

/* ---- collections ---- */

/* Pushes the items up to `stop`. */
static bool scan_items(struct edn *e, char stop, struct edn_place opened)
{
    bool found;
    if (e->depth >= EDN_DEPTH_MAX)
        return edn_fail(e, opened, "forms are nested more than %d deep", EDN_DEPTH_MAX);
    e->depth++;
    for (;;) {
        plumb_value item;
        if (!edn_next(e, stop, opened, &found))
            return false;
        if (!found)
            break;
        if (!edn_value(e, &item))
            return false;
        vec_push(&e->items, item);
    }
    e->depth--;
    return true;
}

/* The items from `base` on as an array; they are popped. */
static plumb_value take_items(struct edn *e, size_t base)
{
    vec_reserve(&e->items, 1);
    plumb_value array = plumb_array(e->values, e->items.data + base, e->items.len - base);
    e->items.len = base;
    return array;
}

/* A sequence that begins with a string like the heads of sets and maps gets a '~' more there. */
static void escape_head(struct edn *e, plumb_value *head)
{
    size_t length, tildes = 0;
    if (plumb_tag_of(*head) != PLUMB_TAG_STRING)
        return;
    const char *bytes = plumb_string_of(e->values, *head, &length);
    while (tildes < length && bytes[tildes] == '~')
        tildes++;
    if (tildes && tildes < length && bytes[tildes] == '#')
        *head = name_value(e, "~", bytes, length);
}

static bool scan_sequence(struct edn *e, char stop, plumb_value *out)
{
    struct edn_place opened = edn_here(e);
    size_t base = e->items.len;
    e->at++;
    if (!scan_items(e, stop, opened))
        return false;
    if (e->items.len > base)
        escape_head(e, &e->items.data[base]);
    *out = take_items(e, base);
    return true;
}

static int compare_items(const void *a, const void *b, void *values)
{
    return plumb_compare(values, *(const plumb_value *)a, *(const plumb_value *)b);
}

/* Items of a set, or pairs of a map, behind their head at `base`: sorted by the first word of each group of
 * `size`, which may not occur twice. */
static bool sort_items(struct edn *e, size_t base, size_t size, struct edn_place opened, plumb_value *out)
{
    plumb_value *items = e->items.data + base + 1;
    size_t count = e->items.len - base - 1;
    if (count % size)
        return edn_fail(e, opened, "a key of this map has no value");
    qsort_r(items, count / size, size * sizeof *items, compare_items, e->values);
    for (size_t i = size; i < count; i += size)
        if (items[i] == items[i - size])
            return edn_fail(e, opened,
                            size == 1 ? "an item of this set is there twice"
                                      : "a key of this map is there twice");
    *out = take_items(e, base);
    return true;
}

static bool scan_sorted(struct edn *e, const char *head, size_t size, plumb_value *out)
{
    struct edn_place opened = edn_here(e);
    size_t base = e->items.len;
    e->at += 3 - size;
    vec_push(&e->items, plumb_string(e->values, head, strlen(head)));
    return scan_items(e, '}', opened) && sort_items(e, base, size, opened, out);
}

/* :a becomes :space/a, and :_/a becomes :a. */
static plumb_value qualify(struct edn *e, plumb_value key, const char *space, size_t space_length)
{
    size_t length;
    if (plumb_tag_of(key) != PLUMB_TAG_STRING)
        return key;
    const char *name = plumb_string_of(e->values, key, &length);
    if (length < 3 || memcmp(name, "~:", 2))
        return key;
    if (length > 4 && !memcmp(name, "~:_/", 4))
        return name_value(e, "~:", name + 4, length - 4);
    if (memchr(name, '/', length))
        return key;
    text_clear(&e->scratch);
    text_puts(&e->scratch, "~:");
    text_add(&e->scratch, space, space_length);
    text_puts(&e->scratch, "/");
    text_add(&e->scratch, name + 2, length - 2);
    return plumb_string(e->values, e->scratch.data, e->scratch.len);
}

/* #:space{:a 1} */
static bool scan_namespaced(struct edn *e, plumb_value *out)
{
    struct edn_place opened = edn_here(e);
    const char *space = e->at += 2;
    size_t length = edn_token_length(e), base = e->items.len;
    e->at += length;
    if (!edn_is_keyword(space, length))
        return fail_token(e, opened, space, length, "a namespace");
    if (!edn_skip(e))
        return false;
    if (*e->at != '{')
        return edn_fail(e, opened, "a map has to follow this namespace");
    e->at++;
    vec_push(&e->items, plumb_string(e->values, EDN_MAP, strlen(EDN_MAP)));
    if (!scan_items(e, '}', opened))
        return false;
    for (size_t i = base + 1; i < e->items.len; i += 2)
        e->items.data[i] = qualify(e, e->items.data[i], space, length);
    return sort_items(e, base, 2, opened, out);
}

/* ##Inf, ##-Inf, ##NaN */
static bool scan_symbolic(struct edn *e, plumb_value *out)
{
    struct edn_place place = edn_here(e);
    e->at += 2;
    const char *token = e->at;
    size_t length = edn_token_length(e);
    if (!token_is(token, length, "Inf") && !token_is(token, length, "-Inf") &&
        !token_is(token, length, "NaN"))
        return edn_fail(e, place, "after '##' there can be Inf, -Inf or NaN");
    e->at += length;
    *out = name_value(e, "~f", token, length);
    return true;
}

static bool scan_tagged(struct edn *e, plumb_value *out)
{
    struct edn_place opened = edn_here(e);
    const char *tag = ++e->at;
    size_t length = edn_token_length(e), base = e->items.len;
    plumb_value value;
    if (!edn_is_symbol(tag, length))
        return fail_token(e, opened, tag, length, "a tag");
    if (e->depth >= EDN_DEPTH_MAX)
        return edn_fail(e, opened, "forms are nested more than %d deep", EDN_DEPTH_MAX);
    vec_push(&e->items, name_value(e, "~#", tag, length));
    e->at += length;
    e->depth++;
    if (!edn_skip(e))
        return false;
    if (e->at == e->end || strchr(")]}", *e->at))
        return edn_fail(e, opened, "nothing follows this tag");
    if (!edn_value(e, &value))
        return false;
    e->depth--;
    vec_push(&e->items, value);
    *out = take_items(e, base);
    return true;
}

static bool scan_dispatch(struct edn *e, plumb_value *out)
{
    switch (e->at[1]) {
    case '{': return scan_sorted(e, EDN_SET, 1, out);
    case '#': return scan_symbolic(e, out);
    case ':': return scan_namespaced(e, out);
    default: return scan_tagged(e, out);
    }
}

static bool starts_number(const char *at)
{
    return (*at >= '0' && *at <= '9') || ((*at == '-' || *at == '+') && at[1] >= '0' && at[1] <= '9');
}

bool edn_value(struct edn *e, plumb_value *out)
{
    if (starts_number(e->at))
        return scan_number(e, out);
    switch (*e->at) {
    case '"': return edn_string(e, out);
    case ':': return scan_keyword(e, out);
    case '[': return scan_sequence(e, ']', out);
    case '(': return scan_sequence(e, ')', out);
    case '{': return scan_sorted(e, EDN_MAP, 2, out);
    case '#': return scan_dispatch(e, out);
    case '\\': return edn_character(e, out);
    default: return scan_symbol(e, out);
    }
}

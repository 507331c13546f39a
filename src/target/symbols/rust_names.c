/* SPDX-License-Identifier: Apache-2.0 */
/* A recursive-descent reader of the v0 grammar. Back references may nest, so depth and output are limited: malformed symbols
 * end the reading with an error. */
#include "target/symbols/rust_names.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 200, OUTPUT_MAX = 4096 };

struct rust_reader {
    const char *start, *at; /* of what is behind "_R" */
    struct text *out;       /* NULL: read, and write nothing */
    unsigned depth;
    bool failed;
};

static void read_path(struct rust_reader *r, bool is_value);
static void read_type(struct rust_reader *r);
static void read_const(struct rust_reader *r);

static void write_text(struct rust_reader *r, const char *text)
{
    if (!r->out || r->failed)
        return;
    text_puts(r->out, text);
    r->failed = r->out->len > OUTPUT_MAX;
}

static bool take_char(struct rust_reader *r, char expected)
{
    if (r->failed || *r->at != expected)
        return false;
    r->at++;
    return true;
}

static void fail_reading(struct rust_reader *r)
{
    r->failed = true;
}

/* Digits, upper and lower case letters to the base 62, and an underscore; nothing before it is 0, "0" is 1. */
static uint64_t read_base62(struct rust_reader *r)
{
    uint64_t value = 0;
    if (take_char(r, '_'))
        return 0;
    while (!r->failed && !take_char(r, '_')) {
        char c = *r->at;
        unsigned digit = isdigit((unsigned char)c)   ? (unsigned)(c - '0')
                         : islower((unsigned char)c) ? (unsigned)(c - 'a') + 10
                         : isupper((unsigned char)c) ? (unsigned)(c - 'A') + 36
                                                     : 62;
        if (digit == 62 || value > UINT64_MAX / 62 - 62)
            fail_reading(r);
        value = value * 62 + digit;
        r->at += !r->failed;
    }
    return value + 1;
}

static uint64_t read_disambiguator(struct rust_reader *r)
{
    return take_char(r, 's') ? read_base62(r) + 1 : 0;
}

static size_t read_decimal(struct rust_reader *r)
{
    size_t value = 0;
    if (!isdigit((unsigned char)*r->at))
        fail_reading(r);
    if (take_char(r, '0'))
        return 0;
    while (isdigit((unsigned char)*r->at) && value < OUTPUT_MAX)
        value = value * 10 + (size_t)(*r->at++ - '0');
    return value;
}

/* Identifiers with letters beyond ASCII stay in Punycode. Returns the length. */
static size_t read_identifier(struct rust_reader *r)
{
    take_char(r, 'u');
    size_t length = read_decimal(r);
    take_char(r, '_');
    if (r->failed || strnlen(r->at, length) < length) {
        fail_reading(r);
        return 0;
    }
    if (r->out)
        text_add(r->out, r->at, length);
    r->at += length;
    return length;
}

/* Reads what a back reference names, with one of the functions below. */
static void follow_reference(struct rust_reader *r, void (*read)(struct rust_reader *))
{
    const char *place = r->at - 1;
    uint64_t offset = read_base62(r);
    if (r->failed || offset >= (uint64_t)(place - r->start)) {
        fail_reading(r);
        return;
    }
    const char *next = r->at;
    r->at = r->start + offset;
    if (r->out)
        read(r);
    r->at = next;
}

static void read_type_path(struct rust_reader *r)
{
    read_path(r, false);
}

static void read_value_path(struct rust_reader *r)
{
    read_path(r, true);
}

/* Where an impl block stands: the reader of a name need not know. */
static void skip_impl_path(struct rust_reader *r)
{
    struct text *out = r->out;
    r->out = NULL;
    read_disambiguator(r);
    read_path(r, false);
    r->out = out;
}

static void read_generic(struct rust_reader *r)
{
    if (take_char(r, 'L')) {
        read_base62(r);
        write_text(r, "'_");
    } else if (take_char(r, 'K')) {
        read_const(r);
    } else {
        read_type(r);
    }
}

/* A list that ends with E. Returns how many there are. */
static unsigned read_list(struct rust_reader *r, void (*read)(struct rust_reader *))
{
    unsigned count = 0;
    while (!r->failed && !take_char(r, 'E')) {
        write_text(r, count++ ? ", " : "");
        read(r);
    }
    return count;
}

/* Closures and compiler-made functions have a number in place of a name of their own. */
static void read_special(struct rust_reader *r, char kind)
{
    uint64_t number = read_disambiguator(r);
    char text[32];
    write_text(r, kind == 'C' ? "::{closure" : "::{shim");
    const char *colon = r->at[*r->at == 'u'] == '0' ? "" : ":";
    write_text(r, colon);
    read_identifier(r);
    snprintf(text, sizeof text, "#%llu}", (unsigned long long)number);
    write_text(r, text);
}

static void read_nested(struct rust_reader *r, bool is_value)
{
    char space = *r->at;
    if (!isalpha((unsigned char)space)) {
        fail_reading(r);
        return;
    }
    r->at++;
    read_path(r, is_value);
    if (isupper((unsigned char)space)) {
        read_special(r, space);
        return;
    }
    read_disambiguator(r);
    size_t before = r->out ? r->out->len : 0;
    write_text(r, "::");
    if (read_identifier(r) == 0 && r->out && !r->failed)
        r->out->data[r->out->len = before] = 0;
}

static void read_impl(struct rust_reader *r, bool is_inherent, bool has_place)
{
    if (has_place)
        skip_impl_path(r);
    write_text(r, "<");
    read_type(r);
    if (!is_inherent) {
        write_text(r, " as ");
        read_path(r, false);
    }
    write_text(r, ">");
}

static bool enter_level(struct rust_reader *r)
{
    if (++r->depth > DEPTH_MAX)
        fail_reading(r);
    return !r->failed;
}

static void read_path(struct rust_reader *r, bool is_value)
{
    if (!enter_level(r))
        return;
    if (take_char(r, 'C')) {
        read_disambiguator(r);
        read_identifier(r);
    } else if (take_char(r, 'M')) {
        read_impl(r, true, true);
    } else if (take_char(r, 'X')) {
        read_impl(r, false, true);
    } else if (take_char(r, 'Y')) {
        read_impl(r, false, false);
    } else if (take_char(r, 'N')) {
        read_nested(r, is_value);
    } else if (take_char(r, 'I')) {
        read_path(r, is_value);
        write_text(r, is_value ? "::<" : "<");
        read_list(r, read_generic);
        write_text(r, ">");
    } else if (take_char(r, 'B')) {
        follow_reference(r, is_value ? read_value_path : read_type_path);
    } else {
        fail_reading(r);
    }
    r->depth--;
}

/* -------------------------------------------------------------------- types */

static const char *basic_type(char letter)
{
    static const char *const names[] = {
        ['a'] = "i8",   ['b'] = "bool",  ['c'] = "char",  ['d'] = "f64", ['e'] = "str", ['f'] = "f32",
        ['h'] = "u8",   ['i'] = "isize", ['j'] = "usize", ['l'] = "i32", ['m'] = "u32", ['n'] = "i128",
        ['o'] = "u128", ['p'] = "_",     ['s'] = "i16",   ['t'] = "u16", ['u'] = "()",  ['v'] = "...",
        ['x'] = "i64",  ['y'] = "u64",   ['z'] = "!"};
    return letter >= 'a' && letter <= 'z' ? names[(int)letter] : NULL;
}

static void read_reference(struct rust_reader *r, const char *prefix)
{
    if (take_char(r, 'L'))
        read_base62(r);
    write_text(r, prefix);
    read_type(r);
}

static void read_tuple(struct rust_reader *r)
{
    write_text(r, "(");
    write_text(r, read_list(r, read_type) == 1 ? ",)" : ")");
}

static void read_binder(struct rust_reader *r)
{
    if (take_char(r, 'G'))
        read_base62(r);
}

static void read_function_type(struct rust_reader *r)
{
    read_binder(r);
    write_text(r, take_char(r, 'U') ? "unsafe " : "");
    if (take_char(r, 'K')) {
        write_text(r, "extern \"");
        if (take_char(r, 'C'))
            write_text(r, "C");
        else
            read_identifier(r);
        write_text(r, "\" ");
    }
    write_text(r, "fn(");
    read_list(r, read_type);
    write_text(r, ")");
    if (take_char(r, 'u'))
        return;
    write_text(r, " -> ");
    read_type(r);
}

static void read_dyn_trait(struct rust_reader *r)
{
    read_path(r, false);
    while (take_char(r, 'p')) {
        write_text(r, " with ");
        read_identifier(r);
        write_text(r, " = ");
        read_type(r);
    }
}

static void read_dyn(struct rust_reader *r)
{
    write_text(r, "dyn ");
    read_binder(r);
    read_list(r, read_dyn_trait);
    if (!take_char(r, 'L'))
        fail_reading(r);
    read_base62(r);
}

static void read_array(struct rust_reader *r, bool has_length)
{
    write_text(r, "[");
    read_type(r);
    if (has_length) {
        write_text(r, "; ");
        read_const(r);
    }
    write_text(r, "]");
}

static void read_compound(struct rust_reader *r)
{
    switch (*r->at++) {
    case 'A': read_array(r, true); break;
    case 'S': read_array(r, false); break;
    case 'T': read_tuple(r); break;
    case 'R': read_reference(r, "&"); break;
    case 'Q': read_reference(r, "&mut "); break;
    case 'P': read_reference(r, "*const "); break;
    case 'O': read_reference(r, "*mut "); break;
    case 'F': read_function_type(r); break;
    case 'D': read_dyn(r); break;
    case 'B': follow_reference(r, read_type); break;
    default: r->at--, read_path(r, false);
    }
}

static void read_type(struct rust_reader *r)
{
    if (!enter_level(r))
        return;
    const char *basic = basic_type(*r->at);
    if (basic) {
        r->at++;
        write_text(r, basic);
    } else {
        read_compound(r);
    }
    r->depth--;
}

/* Constants that are numbers are printed as such; structures are not. */
static void read_const(struct rust_reader *r)
{
    if (take_char(r, 'B')) {
        follow_reference(r, read_const);
        return;
    }
    if (take_char(r, 'p')) {
        write_text(r, "_");
        return;
    }
    char type = *r->at;
    if (!basic_type(type)) {
        fail_reading(r);
        return;
    }
    r->at++;
    write_text(r, take_char(r, 'n') ? "-" : "");
    uint64_t value = 0;
    for (unsigned digits = 0; !r->failed && !take_char(r, '_'); digits++) {
        if (!isxdigit((unsigned char)*r->at) || isupper((unsigned char)*r->at) || digits == 16)
            fail_reading(r);
        else
            value =
                value * 16 + (uint64_t)(isdigit((unsigned char)*r->at) ? *r->at - '0' : *r->at - 'a' + 10),
            r->at++;
    }
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    write_text(r, type != 'b' ? text : value ? "true" : "false");
}

bool rust_demangle(const char *symbol, struct text *out)
{
    if (strncmp(symbol, "_R", 2) != 0 || !isupper((unsigned char)symbol[2]))
        return false;
    size_t before = out->len;
    struct rust_reader r = {.start = symbol + 2, .at = symbol + 2, .out = out};
    read_path(&r, true);
    if (!r.failed && isupper((unsigned char)*r.at)) { /* the crate that instantiated it */
        r.out = NULL;
        read_path(&r, false);
    }
    if (!r.failed && (*r.at == 0 || *r.at == '.' || *r.at == '$'))
        return true;
    out->len = before;
    if (out->data)
        out->data[before] = 0;
    return false;
}

/* ----------------------------------------------------------- older mangling */

static size_t find_escape(const char *at, char *meaning)
{
    static const struct {
        const char *code;
        char meaning;
    } escapes[] = {{"$LT$", '<'},  {"$GT$", '>'},  {"$RF$", '&'},  {"$BP$", '*'},  {"$LP$", '('},
                   {"$RP$", ')'},  {"$C$", ','},   {"$SP$", '@'},  {"$u20$", ' '}, {"$u7b$", '{'},
                   {"$u7d$", '}'}, {"$u5b$", '['}, {"$u5d$", ']'}, {"$u27$", '\''}};
    for (size_t k = 0; k < sizeof escapes / sizeof *escapes; k++)
        if (strncmp(at, escapes[k].code, strlen(escapes[k].code)) == 0) {
            *meaning = escapes[k].meaning;
            return strlen(escapes[k].code);
        }
    return 0;
}

static bool is_hash(const char *text)
{
    return strncmp(text, "::h", 3) == 0 && strlen(text) == 19 && strspn(text + 3, "0123456789abcdef") == 16;
}

void rust_clean_legacy(char *name)
{
    size_t length = strlen(name);
    if (length <= 19 || !is_hash(name + length - 19))
        return;
    name[length - 19] = 0;
    char *to = name;
    for (const char *from = name; *from;) {
        char meaning;
        size_t escape = find_escape(from, &meaning);
        if (strncmp(from, "_$", 2) == 0 && (from == name || from[-1] == ':')) {
            from++; /* an underscore keeps the escape from being first */
        } else if (escape) {
            *to++ = meaning;
            from += escape;
        } else if (strncmp(from, "..", 2) == 0) {
            *to++ = ':', *to++ = ':';
            from += 2;
        } else {
            *to++ = *from++;
        }
    }
    *to = 0;
}

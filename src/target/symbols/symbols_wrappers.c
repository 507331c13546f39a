/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_wrappers.h"

#include "base/text.h"
#include "target/symbols/symbols_module.h"
#include "target/symbols/symbols_types.h"

#include <dwarf.h>
#include <string.h>

/* Statements of a wrapper; bytes of a class that stands for one location; lines up to the body. */
enum { STATEMENTS_MOST = 2, CLASS_MOST = 16, HEAD_MOST = 5 };

/* ------------------------------------------------------------------ what it is given */

static bool is_declared_by_system(Dwarf_Die *type)
{
    const char *file = dwarf_decl_file(type);
    return file && symbols_is_system_file(file);
}

/* One location, as far as its type says: of a library's type it is a std::atomic or a mutex; bytes are texts. */
static bool is_location(Dwarf_Die *pointee)
{
    Dwarf_Die die = {0};
    const char *name = symbols_type_name(pointee, &die);
    if (!die.addr)
        return true; /* const void */
    switch (dwarf_tag(&die)) {
    case DW_TAG_base_type: return name && strcmp(name, "char") != 0;
    case DW_TAG_enumeration_type:
    case DW_TAG_pointer_type: return true;
    default: return is_declared_by_system(&die);
    }
}

/* Names that members of wrappers of atomics have, as those of std::atomic. */
static bool is_atomic_member(const char *name)
{
    static const char *const prefixes[] = {"load", "store", "exchange", "compare_", "fetch_", "operator"};
    for (size_t k = 0; name && k < sizeof prefixes / sizeof *prefixes; k++)
        if (strncmp(name, prefixes[k], strlen(prefixes[k])) == 0)
            return true;
    return false;
}

static bool first_parameter(Dwarf_Die *function, Dwarf_Die *parameter)
{
    for (bool more = dwarf_child(function, parameter) == 0; more; more = symbols_next_die(parameter))
        if (dwarf_tag(parameter) == DW_TAG_formal_parameter)
            return true;
    return false;
}

static bool is_given_location(Dwarf_Die *function)
{
    Dwarf_Die parameter, type, pointer = {0}, pointee;
    if (!first_parameter(function, &parameter) || !symbols_die_reference(&parameter, DW_AT_type, &type))
        return false;
    symbols_type_name(&type, &pointer);
    int tag = pointer.addr ? dwarf_tag(&pointer) : 0;
    if (tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type)
        return false;
    if (!symbols_die_reference(&pointer, DW_AT_type, &pointee))
        return true; /* void * */
    const char *name = dwarf_diename(&parameter);
    if (name && strcmp(name, "this") == 0)
        return is_atomic_member(dwarf_diename(function)) && symbols_type_size(&pointee) <= CLASS_MOST;
    return is_location(&pointee);
}

/* ------------------------------------------------------------------ how long it is */

/* Behind a comment, a string or a character that begins at `at`; else `at`. */
static const char *skip_quoted(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return at + (*at == quote);
}

/* One that only declares, or returns what is known, does nothing. */
static bool does_something(const char *from, const char *to)
{
    while (from < to && strchr(" \t\n{}", *from))
        from++;
    bool returns = strncmp(from, "return", 6) == 0;
    for (; from < to; from++)
        if (*from == '(' || (*from == '=' && !returns))
            return true;
    return false;
}

/* How many statements the body that begins at `at` has. */
static int count_statements(const char *at)
{
    int braces = 0, brackets = 0, count = 0;
    const char *from = at;
    while (*at) {
        const char *behind = skip_quoted(at);
        if (behind > at) {
            at = behind;
            continue;
        }
        braces += (*at == '{') - (*at == '}');
        brackets += (*at == '(') - (*at == ')');
        if (*at == ';' && !brackets) {
            count += does_something(from, at);
            from = at + 1;
        }
        if (!braces)
            return count;
        at++;
    }
    return count;
}

/* Where the body of the function begins whose name is in that line; null: a macro has made it. */
static const char *find_body(const char *text, int line)
{
    for (; line > 1 && *text; text++)
        line -= *text == '\n';
    const char *body = text + strcspn(text, "{");
    int lines = 0;
    for (const char *at = text; at < body; at++) {
        lines += *at == '\n';
        if (*at == ';' || *at == '#')
            return NULL;
    }
    return *body && lines < HEAD_MOST ? body : NULL;
}

static bool is_short(Dwarf_Die *declaration)
{
    struct text text = {0};
    const char *file = dwarf_decl_file(declaration);
    int line;
    if (!file || dwarf_decl_line(declaration, &line) != 0 || !text_add_file(&text, file) || !text.len)
        return false;
    const char *body = find_body(text.data, line);
    int count = body ? count_statements(body) : 1;
    text_free(&text);
    return count <= STATEMENTS_MOST;
}

/* Of a function that was inlined or is declared elsewhere, the entry that has its parameters. */
static Dwarf_Die declaration_of(Dwarf_Die *function)
{
    Dwarf_Die origin;
    return symbols_die_reference(function, DW_AT_abstract_origin, &origin) ? origin : *function;
}

bool symbols_is_wrapper(Dwarf_Die *function)
{
    Dwarf_Die declaration = declaration_of(function);
    return is_given_location(&declaration) && is_short(&declaration);
}

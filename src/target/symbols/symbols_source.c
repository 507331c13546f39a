/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_source.h"

#include "target/symbols/symbols_module.h"
#include "target/symbols/symbols_types.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MOST = 4, DEPTH_MOST = 16 };

/* --- the text ----------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_spaces(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Behind the bracket that closes the one at `at`. */
static const char *skip_brackets(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += strchr("(<[{", *at) ? 1 : strchr(")>]}", *at) ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

static bool skip_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || is_word((*at)[length]))
        return false;
    *at = skip_spaces(*at + length);
    return true;
}

static const char *skip_qualifiers(const char *at)
{
    static const char *const words[] = {"struct",   "class",    "union",  "const",
                                        "volatile", "typename", "_Atomic"};
    for (size_t k = 0; k < sizeof words / sizeof *words;)
        k = skip_word(&at, words[k]) ? 0 : k + 1;
    return at;
}

/* The name of a type: words, "::" and what is between < and >. */
static const char *read_name(const char *at, struct source_type *t)
{
    const char *from = at = skip_qualifiers(at), *end;
    for (end = at; *at; at = skip_spaces(at)) {
        if (*at == '<')
            at = skip_brackets(at);
        else if (is_word(*at) || *at == ':')
            at++;
        else
            break;
        end = at;
    }
    size_t length = (size_t)(end - from);
    t->text[0] = 0;
    if (length < sizeof t->text) {
        memcpy(t->text, from, length);
        t->text[length] = 0;
    }
    return at;
}

/* "new (place) T[n]" */
static bool read_new(const char **at, struct source_type *t)
{
    const char *next = skip_spaces(*at);
    if (*next == '(')
        next = skip_spaces(skip_brackets(next));
    *at = next = read_name(next, t);
    t->variable = false;
    t->array = *next == '[';
    t->made = true;
    return *t->text && *next != '*';
}

/* "n", "q->slots", "s.slots" */
static const char *read_path(const char *at, struct source_type *t)
{
    const char *from = at;
    while (is_word(*at) || *at == '.' || (at[0] == '-' && at[1] == '>'))
        at += *at == '-' ? 2 : 1;
    size_t length = (size_t)(at - from);
    t->text[0] = 0;
    if (length < sizeof t->text) {
        memcpy(t->text, from, length);
        t->text[length] = 0;
    }
    return skip_spaces(at);
}

/* "sizeof(struct node)", "sizeof *n", "sizeof(*q->slots)", "sizeof n[0]" */
static bool read_sizeof(const char **at, struct source_type *t)
{
    const char *next = skip_spaces(*at);
    if (*next == '(')
        next = skip_spaces(next + 1);
    bool points = *next == '*';
    const char *end = read_path(next + points, t);
    t->variable = points != (*end == '[');
    t->array = t->made = false;
    if (!t->variable && !points)
        end = read_name(next, t);
    *at = end;
    return *t->text && *end != '*' && *end != '-' && *end != '.' && (t->variable || *end != '[');
}

static unsigned read_types(const char *at, struct source_type *list)
{
    unsigned count = 0;
    for (char before = 0; *at && count < SOURCE_TYPES_MOST; before = *at, at += *at != 0) {
        bool begins = is_word(*at) && !is_word(before);
        if (begins && skip_word(&at, "new"))
            count += read_new(&at, &list[count]);
        else if (begins && skip_word(&at, "sizeof"))
            count += read_sizeof(&at, &list[count]);
        if (!*at)
            break;
    }
    return count;
}

/* Up to the end of the statement that the line has at the column, or begins; without comments at the ends of lines. */
static void cut_statement(const char *text, uint32_t line, uint32_t column, struct text *out)
{
    for (; line > 1 && *text; text++)
        line -= *text == '\n';
    size_t from = 0, place = column ? column - 1 : 0, end = strcspn(text, "\n");
    for (size_t k = 0; k < place && k < end; k++)
        from = text[k] == ';' ? k + 1 : from;
    for (int lines = 0; *text && lines < LINES_MOST; lines++, from = place = 0) {
        size_t whole = strcspn(text, "\n"), length = from;
        while (length < whole && strncmp(text + length, "//", 2) != 0 &&
               (text[length] != ';' || length < place))
            length++;
        text_add(out, text + from, length - from);
        text_add(out, " ", 1);
        if (text[length] == ';')
            return;
        text += whole + (text[whole] != 0);
    }
}

unsigned symbols_source_types(const char *path, uint32_t line, uint32_t column, struct source_type *list)
{
    struct text file = {0}, statement = {0};
    unsigned count = 0;
    if (line && text_add_file(&file, path) && file.len) {
        cut_statement(file.data, line, column, &statement);
        count = statement.len ? read_types(statement.data, list) : 0;
    }
    text_free(&file);
    text_free(&statement);
    return count;
}

/* --- names -------------------------------------------------------------------------------------- */

/* The last part of "lib::stack<a::b>", with its length up to "<". */
static const char *last_part(const char *text, size_t *length)
{
    size_t end = strcspn(text, "<"), from = end;
    while (end > 0 && isspace((unsigned char)text[end - 1]))
        end--;
    for (from = end; from > 0 && text[from - 1] != ':';)
        from--;
    *length = end - from;
    return text + from;
}

bool symbols_source_has_name(const char *name, const char *text)
{
    size_t length, other;
    const char *wanted = last_part(text, &length), *found = last_part(name, &other);
    return length && length == other && !strncmp(wanted, found, length);
}

/* The next character that matters: compilers write spaces, "std::" and "long int" as they like. */
static const char *next_mark(const char *at)
{
    for (;;) {
        const char *before = at;
        if (isspace((unsigned char)*at))
            at++;
        if (!strncmp(at, "std::", 5))
            at += 5;
        if (at != before && !strncmp(at, "int", 3) && !is_word(at[3]))
            at += 3;
        if (at == before)
            return at;
    }
}

bool symbols_source_is_same(const char *text, const char *name)
{
    size_t length;
    const char *a = next_mark(last_part(text, &length)), *b = next_mark(last_part(name, &length));
    while (*a && *a == *b) {
        a = next_mark(a + 1);
        b = next_mark(b + 1);
    }
    return *a == *b;
}

/* --- in the function ---------------------------------------------------------------------------- */

static bool find_parameter(Dwarf_Die *scope, const char *name, Dwarf_Die *type)
{
    Dwarf_Die die;
    for (bool more = dwarf_child(scope, &die) == 0; more; more = symbols_next_die(&die)) {
        const char *own = dwarf_tag(&die) == DW_TAG_template_type_parameter ? dwarf_diename(&die) : NULL;
        if (own && !strcmp(own, name))
            return symbols_die_reference(&die, DW_AT_type, type);
    }
    return false;
}

/* The class is what `this` points to. */
static bool find_class(Dwarf_Die *function, Dwarf_Die *class)
{
    return symbols_find_pointee(function, "this", class);
}

/* Of the class, or of one that it is inside. */
static bool find_class_parameter(Dwarf_Die *class, const char *name, Dwarf_Die *type)
{
    Dwarf_Die *scopes;
    int count = dwarf_getscopes_die(class, &scopes);
    bool found = false;
    for (int k = 0; k < count && !found; k++)
        found = find_parameter(&scopes[k], name, type);
    if (count > 0)
        free(scopes);
    return found;
}

bool symbols_find_template_type(Dwarf_Die *function, const char *name, Dwarf_Die *type)
{
    Dwarf_Die origin = *function, class;
    for (int k = 0; k < DEPTH_MOST; k++) {
        if (find_parameter(&origin, name, type))
            return true;
        Dwarf_Attribute attribute;
        if ((!dwarf_attr(&origin, DW_AT_abstract_origin, &attribute) &&
             !dwarf_attr(&origin, DW_AT_specification, &attribute)) ||
            !dwarf_formref_die(&attribute, &origin))
            break;
    }
    return find_class(function, &class) && find_class_parameter(&class, name, type);
}

void symbols_put_template_types(Dwarf_Die *function, struct source_type *t)
{
    struct text out = {0};
    for (const char *at = t->text; *at;) {
        size_t length = 0;
        while (is_word(at[length]))
            length++;
        char word[SOURCE_TYPE_LENGTH];
        memcpy(word, at, length);
        word[length] = 0;
        Dwarf_Die type, peeled;
        const char *name = length && symbols_find_template_type(function, word, &type)
                               ? symbols_type_name(&type, &peeled)
                               : NULL;
        if (name)
            text_puts(&out, name);
        else
            text_add(&out, at, length ? length : 1);
        at += length ? length : 1;
    }
    if (out.len && out.len < sizeof t->text)
        memcpy(t->text, out.data, out.len + 1);
    text_free(&out);
}

static bool find_variable(Dwarf_Die *scope, const char *name, Dwarf_Die *type, unsigned depth)
{
    Dwarf_Die die;
    if (depth > DEPTH_MOST)
        return false;
    for (bool more = dwarf_child(scope, &die) == 0; more; more = symbols_next_die(&die)) {
        int tag = dwarf_tag(&die);
        const char *own =
            tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ? dwarf_diename(&die) : NULL;
        if (own && !strcmp(own, name) && symbols_die_reference(&die, DW_AT_type, type))
            return true;
        if ((tag == DW_TAG_lexical_block || tag == DW_TAG_try_block) &&
            find_variable(&die, name, type, depth + 1))
            return true;
    }
    return false;
}

/* Of the file that the function is in. */
static bool find_global(Dwarf_Die *function, const char *name, Dwarf_Die *type)
{
    Dwarf_Die unit, die;
    if (!dwarf_diecu(function, &unit, NULL, NULL))
        return false;
    for (bool more = dwarf_child(&unit, &die) == 0; more; more = symbols_next_die(&die)) {
        const char *own = dwarf_tag(&die) == DW_TAG_variable ? dwarf_diename(&die) : NULL;
        if (own && !strcmp(own, name) && symbols_die_reference(&die, DW_AT_type, type))
            return true;
    }
    return false;
}

/* Of an object, or of what a pointer points to. */
static bool find_member(Dwarf_Die *object, const char *name, Dwarf_Die *type)
{
    Dwarf_Die target, die;
    if (!symbols_type_target(object, &target))
        target = *object;
    if (!symbols_type_peel(&target, &target))
        return false;
    for (bool more = dwarf_child(&target, &die) == 0; more; more = symbols_next_die(&die)) {
        const char *own = dwarf_tag(&die) == DW_TAG_member ? dwarf_diename(&die) : NULL;
        if (own && !strcmp(own, name))
            return symbols_die_reference(&die, DW_AT_type, type);
    }
    return false;
}

static bool find_named(Dwarf_Die *function, const char *name, Dwarf_Die *type)
{
    Dwarf_Die origin;
    return find_variable(function, name, type, 0) ||
           (symbols_die_reference(function, DW_AT_abstract_origin, &origin) &&
            find_variable(&origin, name, type, 0)) ||
           find_global(function, name, type);
}

bool symbols_find_pointee(Dwarf_Die *function, const char *path, Dwarf_Die *type)
{
    char text[SOURCE_TYPE_LENGTH], *rest = NULL;
    Dwarf_Die object;
    snprintf(text, sizeof text, "%s", path);
    const char *part = strtok_r(text, "->.", &rest);
    bool found = part && find_named(function, part, &object);
    while (found && (part = strtok_r(NULL, "->.", &rest)))
        found = find_member(&object, part, &object);
    return found && symbols_type_target(&object, type);
}

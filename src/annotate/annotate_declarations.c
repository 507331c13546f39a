/* SPDX-License-Identifier: Apache-2.0 */
/* Names in the declarations, functions and rules of a @Structure_Define. */
#include "annotate/annotate_unit.h"

#include <string.h>

static const struct code_token *at(const struct code *code, size_t i)
{
    return &code->tokens.data[i];
}

static bool is_at(const struct code *code, size_t i, const char *word)
{
    return i < code->tokens.len && code_token_is(at(code, i), word);
}

static struct place token_place(const struct code *code, size_t i)
{
    struct place place = code->at;
    if (i < code->tokens.len && at(code, i)->line) {
        place.line = at(code, i)->line;
        place.column = at(code, i)->column;
    }
    return place;
}

static const char *copy(struct unit *u, const struct code *code, size_t i)
{
    return arena_copy(&u->arena, at(code, i)->text, at(code, i)->length);
}

static size_t closing(const struct code *code, size_t open)
{
    int depth = 0;
    for (size_t i = open; i < code->tokens.len; i++) {
        depth += (is_at(code, i, "(") || is_at(code, i, "[") || is_at(code, i, "{")) -
                 (is_at(code, i, ")") || is_at(code, i, "]") || is_at(code, i, "}"));
        if (depth == 0)
            return i;
    }
    return code->tokens.len;
}

/* --- variables ----------------------------------------------------------------------------------- */

static void add_variable(struct unit *u, struct structure *s, const struct code *code, size_t begin,
                         size_t name, struct variable v)
{
    struct place place = token_place(code, name < code->tokens.len ? name : begin);
    if (name >= code->tokens.len) {
        unit_error(u, &place, "@DeclareVar: a declaration without a name");
        return;
    }
    if (s->variables.len == NAMES_MOST) {
        unit_error(u, &place, "@DeclareVar: more than %d variables", NAMES_MOST);
        return;
    }
    v.name = copy(u, code, name);
    for (size_t k = 0; k < s->variables.len; k++)
        if (!strcmp(s->variables.data[k].name, v.name))
            unit_error(u, &place, "@DeclareVar: %s is declared twice", v.name);
    vec_push(&s->variables, v);
}

/* One declarator: [begin, end), with the type before the first. */
static void read_declarator(struct unit *u, struct structure *s, const struct code *code, size_t begin,
                            size_t end)
{
    size_t name = SIZE_MAX;
    struct variable v = {0};
    int angles = 0;
    for (size_t i = begin; i < end; i++) {
        if (angles == 0 && (is_at(code, i, "=") || is_at(code, i, "{") || is_at(code, i, ":"))) {
            struct place place = token_place(code, i);
            if (u->scan.language == ANNOTATE_C)
                unit_error(u, &place, "@DeclareVar: variables get their values in @InitVar");
            break;
        }
        angles += is_at(code, i, "<") - is_at(code, i, ">");
        if (angles > 0)
            continue;
        v.pointer |= is_at(code, i, "*");
        if (is_at(code, i, "[")) {
            v.array = true;
            i = closing(code, i);
        } else if (is_at(code, i, "(") && is_at(code, i + 1, "*")) {
            name = closing(code, i) - 1;
            v.pointer = true;
            break;
        } else if (is_at(code, i, "(")) {
            i = closing(code, i);
        } else if (at(code, i)->kind == TOKEN_NAME) {
            name = unit_is_type_word(at(code, i)->text, at(code, i)->length) ? SIZE_MAX : i;
        }
    }
    add_variable(u, s, code, begin, name, v);
}

static void read_declaration(struct unit *u, struct structure *s, const struct code *code, size_t begin,
                             size_t end)
{
    int angles = 0;
    size_t first = begin;
    for (size_t i = begin; i < end; i++) {
        if (is_at(code, i, "(") || is_at(code, i, "[") || is_at(code, i, "{"))
            i = closing(code, i);
        angles += is_at(code, i, "<") - is_at(code, i, ">");
        if (is_at(code, i, ",") && angles == 0) {
            read_declarator(u, s, code, first, i);
            first = i + 1;
        }
    }
    read_declarator(u, s, code, first, end);
}

void structure_read_variables(struct unit *u, struct structure *s, const struct code *code)
{
    size_t begin = 0;
    for (size_t i = 0; i <= code->tokens.len; i++) {
        if (is_at(code, i, "{"))
            i = closing(code, i);
        if (i < code->tokens.len && !is_at(code, i, ";"))
            continue;
        if (i > begin)
            read_declaration(u, s, code, begin, i);
        begin = i + 1;
    }
}

/* --- functions ----------------------------------------------------------------------------------- */

static bool read_function(struct unit *u, struct structure *s, const struct code *code, size_t begin,
                          size_t *end)
{
    size_t i = begin;
    const char *name = NULL;
    for (; i < code->tokens.len && !is_at(code, i, "{") && !is_at(code, i, ";"); i++) {
        if (!is_at(code, i, "("))
            continue;
        if (!name && i > begin && at(code, i - 1)->kind == TOKEN_NAME)
            name = copy(u, code, i - 1);
        i = closing(code, i);
    }
    struct place place = token_place(code, begin);
    if (!name || !is_at(code, i, "{")) {
        unit_error(u, &place, "@DefineFunc: this is no definition of a function");
        return false;
    }
    if (s->function_names.len == NAMES_MOST) {
        unit_error(u, &place, "@DefineFunc: more than %d functions", NAMES_MOST);
        return false;
    }
    for (size_t k = 0; k < s->function_names.len; k++)
        if (!strcmp(s->function_names.data[k], name) && u->scan.language == ANNOTATE_C)
            unit_error(u, &place, "@DefineFunc: %s is defined twice", name);
    vec_push(&s->function_names, name);
    *end = closing(code, i) + 1;
    return true;
}

void structure_read_functions(struct unit *u, struct structure *s, const struct code *code)
{
    size_t at_token = 0;
    while (at_token < code->tokens.len) {
        if (is_at(code, at_token, ";"))
            at_token++;
        else if (!read_function(u, s, code, at_token, &at_token))
            return;
    }
}

/* --- rules --------------------------------------------------------------------------------------- */

/* A, or A(c). */
static bool read_invocation(struct unit *u, const struct code *code, size_t *i, struct named_place *name,
                            struct named_place *condition)
{
    if (*i >= code->tokens.len || at(code, *i)->kind != TOKEN_NAME)
        return false;
    *name = (struct named_place){copy(u, code, *i), token_place(code, *i)};
    ++*i;
    if (!is_at(code, *i, "("))
        return true;
    if (*i + 2 >= code->tokens.len || at(code, *i + 1)->kind != TOKEN_NAME || !is_at(code, *i + 2, ")"))
        return false;
    *condition = (struct named_place){copy(u, code, *i + 1), token_place(code, *i + 1)};
    *i += 3;
    return true;
}

bool structure_read_rules(struct unit *u, struct structure *s, const struct code *code)
{
    for (size_t i = 0; i < code->tokens.len;) {
        struct rule rule = {0};
        if (is_at(code, i, ",") || is_at(code, i, ";")) {
            i++;
            continue;
        }
        bool fine = read_invocation(u, code, &i, &rule.from, &rule.from_condition) && is_at(code, i, "->");
        i += fine;
        if (!fine || !read_invocation(u, code, &i, &rule.to, &rule.to_condition)) {
            struct place place = token_place(code, i < code->tokens.len ? i : code->tokens.len - 1);
            unit_error(u, &place,
                       "@Happens_Before is followed by rules: A -> B, or A(condition) -> B(condition)");
            return false;
        }
        if (s->rules.len == ANNOTATIONS_MOST) {
            unit_error(u, &rule.from.at, "@Happens_Before: more than %d rules", ANNOTATIONS_MOST);
            return false;
        }
        vec_push(&s->rules, rule);
    }
    return true;
}

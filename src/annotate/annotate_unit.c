/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/annotate_unit.h"

#include <stdio.h>
#include <string.h>

void unit_error(struct unit *u, const struct place *at, const char *format, ...)
{
    struct diagnostic d = {.code = PL_ANNOTATION, .line = at->line, .column = at->column};
    if (u->result->errors.len == ERRORS_MOST)
        return;
    snprintf(d.file, sizeof d.file, "%s", at->file);
    va_list args;
    va_start(args, format);
    vsnprintf(d.message, sizeof d.message, format, args);
    va_end(args);
    if (u->result->errors.len == ERRORS_MOST - 1)
        snprintf(d.message, sizeof d.message, "too many errors in annotations: the others are not listed");
    vec_push(&u->result->errors, d);
}

struct place unit_place(const struct unit *u, size_t token)
{
    size_t at = token < u->scan.tokens.len ? unit_token(u, token)->at : u->scan.length;
    return scan_place(&u->scan, at);
}

static bool is_code(const struct token *token)
{
    return token->kind != TOKEN_COMMENT && token->kind != TOKEN_DIRECTIVE;
}

size_t unit_next(const struct unit *u, size_t token)
{
    size_t from = token + 1; /* 0 behind SIZE_MAX */
    return from < u->scan.tokens.len ? u->links.data[from].code : u->scan.tokens.len;
}

size_t unit_before(const struct unit *u, size_t token)
{
    size_t end = u->scan.tokens.len;
    return u->links.data[token < end ? token : end].before;
}

bool unit_is_type_word(const char *word, size_t length)
{
    static const char *const words[] = {"void",     "char",     "short",    "int",        "long",  "float",
                                        "double",   "signed",   "unsigned", "bool",       "_Bool", "auto",
                                        "const",    "struct",   "class",    "union",      "enum",  "size_t",
                                        "typename", "volatile", "restrict", "__restrict", "static"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == length && !memcmp(words[k], word, length))
            return true;
    return false;
}

static int bracket(const struct unit *u, size_t token)
{
    const struct token *t = unit_token(u, token);
    if (t->kind != TOKEN_MARK || t->length != 1)
        return 0;
    char c = u->scan.bytes[t->at];
    return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

size_t unit_closing(const struct unit *u, size_t open)
{
    return open < u->scan.tokens.len ? u->links.data[open].closing : u->scan.tokens.len;
}

/* Brackets of all kinds count as one kind; what is no opening bracket closes itself. */
static void link_brackets(struct unit *u)
{
    VEC(size_t) open = {0};
    for (size_t i = 0; i < u->scan.tokens.len; i++) {
        int kind = bracket(u, i);
        u->links.data[i].closing = kind > 0 ? u->scan.tokens.len : i;
        if (kind > 0)
            vec_push(&open, i);
        else if (kind < 0 && open.len)
            u->links.data[vec_pop(&open)].closing = i;
    }
    vec_free(&open);
}

static void link_tokens(struct unit *u)
{
    size_t count = u->scan.tokens.len, before = SIZE_MAX, code = count;
    for (size_t i = 0; i <= count; i++) {
        vec_push(&u->links, ((struct token_links){.code = count, .before = before, .closing = count}));
        before = i < count && is_code(unit_token(u, i)) ? i : before;
    }
    for (size_t i = count; i-- > 0;) {
        code = is_code(unit_token(u, i)) ? i : code;
        u->links.data[i].code = code;
    }
    link_brackets(u);
}

const char *unit_text(struct unit *u, size_t begin, size_t end)
{
    struct text text = {0};
    text_puts(&text, "");
    for (size_t i = begin; i < end && i < u->scan.tokens.len; i++) {
        const struct token *token = unit_token(u, i);
        if (!is_code(token))
            continue;
        if (text.len)
            text_puts(&text, " ");
        text_add(&text, u->scan.bytes + token->at, token->length);
    }
    return text.len ? text_keep(&text, &u->arena) : (text_free(&text), "");
}

/* [[nodiscard]] and the like: its last token; otherwise `t`. */
static size_t skip_attribute(const struct unit *u, size_t t)
{
    size_t next = unit_next(u, t);
    if (unit_is(u, t, "__attribute__") || unit_is(u, t, "__attribute"))
        return unit_closing(u, next);
    return unit_is(u, t, "[") && unit_is(u, next, "[") ? unit_closing(u, t) : t;
}

static bool unit_is_one_of(const struct unit *u, size_t t, const char *const *words)
{
    while (*words && !unit_is(u, t, *words))
        words++;
    return *words != NULL;
}

const char *unit_type_text(struct unit *u, size_t begin, size_t end, const char *const *dropped)
{
    struct text text = {0};
    for (size_t t = begin; t < end; t = unit_next(u, t)) {
        size_t last = skip_attribute(u, t);
        const struct token *token = unit_token(u, t);
        if (last == t && !unit_is_one_of(u, t, dropped))
            text_printf(&text, "%s%.*s", text.len ? " " : "", (int)token->length, u->scan.bytes + token->at);
        t = last;
    }
    return text.len ? text_keep(&text, &u->arena) : (text_free(&text), "");
}

char *unit_print(struct unit *u, const char *format, ...)
{
    struct text text = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    return text_keep(&text, &u->arena);
}

/* --- the way of a text --------------------------------------------------------------------------- */

static void free_codes(struct code *codes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        code_free(&codes[i]);
}

static void free_structure(struct structure *s)
{
    free_codes(s->structs.data, s->structs.len);
    free_codes(s->variable_code.data, s->variable_code.len);
    free_codes(s->inits.data, s->inits.len);
    free_codes(s->functions.data, s->functions.len);
    vec_free(&s->structs);
    vec_free(&s->variable_code);
    vec_free(&s->inits);
    vec_free(&s->functions);
    vec_free(&s->variables);
    vec_free(&s->function_names);
    vec_free(&s->rules);
    vec_free(&s->renames.list);
    free(s);
}

static void free_interface(struct interface *i)
{
    struct code *codes[] = {&i->call_id, &i->object, &i->pre, &i->side, &i->post};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
        code_free(codes[k]);
    for (size_t k = 0; k < i->conditions.len; k++)
        code_free(&i->conditions.data[k].code);
    vec_free(&i->points);
    vec_free(&i->conditions);
    vec_free(&i->function.parameters);
    free(i);
}

static void free_unit(struct unit *u)
{
    for (size_t i = 0; i < u->comments.len; i++)
        vec_free(&u->comments.data[i].pieces);
    for (size_t i = 0; i < u->structures.len; i++)
        free_structure(u->structures.data[i]);
    for (size_t i = 0; i < u->interfaces.len; i++)
        free_interface(u->interfaces.data[i]);
    for (size_t i = 0; i < u->points.len; i++) {
        code_free(&u->points.data[i]->condition);
        free(u->points.data[i]);
    }
    vec_free(&u->comments);
    vec_free(&u->scopes);
    vec_free(&u->comment_scopes);
    vec_free(&u->static_members);
    vec_free(&u->structures);
    vec_free(&u->interfaces);
    vec_free(&u->points);
    macros_free(&u->macros);
    vec_free(&u->links);
    scan_free(&u->scan);
    arena_free(&u->arena);
}

static void generate(struct unit *u)
{
    struct edits edits = {0};
    bool cxx = u->scan.language == ANNOTATE_CXX;
    for (size_t i = 0; i < u->structures.len; i++)
        (cxx ? generate_cxx_structure : generate_c_structure)(u, u->structures.data[i], &edits);
    for (size_t i = 0; i < u->interfaces.len; i++)
        (cxx ? generate_cxx_interface : generate_c_interface)(u, u->interfaces.data[i], &edits);
    for (size_t i = 0; i < u->points.len; i++)
        generate_point(u, u->points.data[i], &edits);
    edits_apply(u, &edits);
}

static bool has_annotations(struct unit *u)
{
    scan_text(&u->scan, &u->arena);
    unit_find_comments(u);
    return u->comments.len > 0;
}

static enum annotate_outcome translate(struct unit *u)
{
    macros_collect(&u->macros, &u->scan);
    link_tokens(u);
    if (unit_find_scopes(u) && unit_read_pieces(u))
        for (size_t i = 0; i < u->interfaces.len; i++)
            u->interfaces.data[i]->found = unit_find_function(u, u->interfaces.data[i]);
    if (!u->result->errors.len)
        unit_resolve(u);
    if (u->result->errors.len)
        return ANNOTATE_WRONG;
    generate(u);
    return u->result->errors.len ? ANNOTATE_WRONG : ANNOTATE_DONE;
}

static bool is_later(const struct diagnostic *a, const struct diagnostic *b)
{
    return !strcmp(a->file, b->file) && (a->line != b->line ? a->line > b->line : a->column > b->column);
}

/* Within a file by place. There are few. */
static void sort_errors(struct diagnostic *errors, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct diagnostic moved = errors[i];
        size_t k = i;
        for (; k > 0 && is_later(&errors[k - 1], &moved); k--)
            errors[k] = errors[k - 1];
        errors[k] = moved;
    }
}

static enum annotate_outcome translate_text(const char *bytes, size_t length, enum annotate_language language,
                                            struct annotate_result *result)
{
    struct unit u = {.scan = {.bytes = bytes, .length = length, .language = language}, .result = result};
    has_annotations(&u);
    enum annotate_outcome outcome = translate(&u);
    sort_errors(result->errors.data, result->errors.len);
    free_unit(&u);
    return outcome;
}

enum annotate_outcome annotate_translate(const char *bytes, size_t length, enum annotate_language language,
                                         struct annotate_result *result)
{
    *result = (struct annotate_result){0};
    if (!memchr(bytes, '@', length))
        return ANNOTATE_NOTHING;
    struct unit raw = {.scan = {.bytes = bytes, .length = length, .language = language}, .result = result};
    bool any = has_annotations(&raw);
    struct text text = {0};
    if (any)
        columns_restore(&raw.scan, &text);
    free_unit(&raw);
    if (!any)
        return ANNOTATE_NOTHING;
    annotate_result_free(result);
    *result = (struct annotate_result){0};
    enum annotate_outcome outcome = translate_text(text.data, text.len, language, result);
    text_free(&text);
    return outcome;
}

void annotate_result_free(struct annotate_result *result)
{
    text_free(&result->text);
    vec_free(&result->errors);
}

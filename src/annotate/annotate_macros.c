/* SPDX-License-Identifier: Apache-2.0 */
/* The preprocessor leaves comments alone, so macros in annotations are expanded here, by the definitions that it
 * lists. */
#include "annotate/annotate_code.h"

#include <string.h>

enum { MACRO_TOKENS = 50000, MACRO_DEPTH = 64, MACRO_PARAMETERS = 32, MACRO_NESTED = 200 };

struct token_list {
    VEC(struct code_token) tokens;
};

struct macro {
    const char *name;
    bool with_arguments, variadic;
    size_t parameter_count;
    struct code_token parameters[MACRO_PARAMETERS];
    struct token_list body;
};

struct expansion {
    const struct macro_lines *macros;
    struct arena *arena;
    size_t before;
    size_t made; /* tokens, read of definitions and put in their place */
    struct place at;
    const char *why; /* it cannot be expanded, or null */
    unsigned nested; /* calls in arguments of calls */
    unsigned depth;
    const char *active[MACRO_DEPTH]; /* names that are being expanded */
};

static bool begins_with(const struct scan *scan, const struct token *token, const char *word)
{
    return token->kind == TOKEN_DIRECTIVE && token->length > strlen(word) &&
           !memcmp(scan->bytes + token->at, word, strlen(word));
}

static int compare_names(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_lines(const void *a, const void *b)
{
    const struct macro_line *x = a, *y = b;
    int order = compare_names(x->name, x->length, y->name, y->length);
    return order ? order : (x->token > y->token) - (x->token < y->token);
}

static void add_line(struct macro_lines *macros, size_t token, size_t at)
{
    const struct token *line = &macros->scan->tokens.data[token];
    struct macro_line m = {.name = macros->scan->bytes + line->at + at, .token = token};
    while (at + m.length < line->length && is_name_char(m.name[m.length]))
        m.length++;
    vec_push(&macros->tokens, token);
    vec_push(&macros->by_name, m);
}

void macros_collect(struct macro_lines *macros, const struct scan *scan)
{
    macros->scan = scan;
    for (size_t i = 0; i < scan->tokens.len; i++)
        if (begins_with(scan, &scan->tokens.data[i], "#define "))
            add_line(macros, i, strlen("#define "));
        else if (begins_with(scan, &scan->tokens.data[i], "#undef "))
            add_line(macros, i, strlen("#undef "));
    if (macros->by_name.len)
        qsort(macros->by_name.data, macros->by_name.len, sizeof *macros->by_name.data, compare_lines);
}

void macros_free(struct macro_lines *macros)
{
    vec_free(&macros->tokens);
    vec_free(&macros->by_name);
}

static const char too_many[] = "its macros make more than 50000 words";

/* --- definitions --------------------------------------------------------------------------------- */

static void lex(const struct scan *scan, size_t at, size_t end, struct token_list *list)
{
    struct token token;
    size_t before = at;
    while (scan_next(scan->bytes, end, &at, false, scan->language, &token)) {
        if (token.kind == TOKEN_COMMENT)
            continue;
        vec_push(&list->tokens, ((struct code_token){.kind = token.kind,
                                                     .space = token.at > before,
                                                     .text = scan->bytes + token.at,
                                                     .length = token.length}));
        before = at;
    }
}

/* Takes the parameters from the front of the body. False: this is no definition that is understood. */
static bool read_parameters(struct macro *macro)
{
    struct token_list *body = &macro->body;
    size_t i = 1;
    for (; i < body->tokens.len && !code_token_is(&body->tokens.data[i], ")"); i++) {
        const struct code_token *token = &body->tokens.data[i];
        if (token->kind == TOKEN_NAME && macro->parameter_count < MACRO_PARAMETERS)
            macro->parameters[macro->parameter_count++] = *token;
        macro->variadic |= code_token_is(token, "...");
    }
    if (i >= body->tokens.len)
        return false;
    bool named = macro->variadic && code_token_is(&body->tokens.data[i - 2], "...") == 0 &&
                 body->tokens.data[i - 2].kind == TOKEN_NAME;
    if (macro->variadic && !named && macro->parameter_count < MACRO_PARAMETERS)
        macro->parameters[macro->parameter_count++] =
            (struct code_token){.kind = TOKEN_NAME, .text = "__VA_ARGS__", .length = strlen("__VA_ARGS__")};
    memmove(body->tokens.data, body->tokens.data + i + 1,
            (body->tokens.len - i - 1) * sizeof *body->tokens.data);
    body->tokens.len -= i + 1;
    return true;
}

/* The last line about the name before a place; null: there is none. */
static const struct token *find_line(const struct expansion *x, const struct code_token *name)
{
    const struct token *tokens = x->macros->scan->tokens.data;
    const struct macro_line *lines = x->macros->by_name.data;
    size_t low = 0, high = x->macros->by_name.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_names(lines[middle].name, lines[middle].length, name->text, name->length);
        if (order < 0 || (order == 0 && tokens[lines[middle].token].at < x->before))
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || compare_names(lines[low - 1].name, lines[low - 1].length, name->text, name->length) != 0)
        return NULL;
    return &tokens[lines[low - 1].token];
}

static void count_made(struct expansion *x, size_t tokens)
{
    x->made += tokens + 1;
    if (x->made > MACRO_TOKENS)
        x->why = too_many;
}

/* Its last definition before a place; false: there is none, it was undone, or it is a call's and this is none. */
static bool find_macro(struct expansion *x, const struct code_token *name, bool is_call, struct macro *macro)
{
    enum { BYTES_EACH = 8 }; /* of a token; comments have more */
    const struct scan *scan = x->macros->scan;
    const struct token *line = find_line(x, name);
    if (!line || !begins_with(scan, line, "#define "))
        return false;
    size_t at = line->at + strlen("#define ") + name->length, end = line->at + line->length;
    macro->with_arguments = at < end && scan->bytes[at] == '(';
    if (macro->with_arguments && !is_call)
        return false;
    count_made(x, (end - at) / BYTES_EACH);
    lex(scan, at, end, &macro->body);
    return !macro->with_arguments || read_parameters(macro);
}

/* --- expansion ----------------------------------------------------------------------------------- */

static void expand(struct expansion *x, const struct code_token *in, size_t count, struct token_list *out);

static bool is_active(const struct expansion *x, const struct code_token *name)
{
    for (unsigned i = 0; i < x->depth; i++)
        if (code_token_is(name, x->active[i]))
            return true;
    return false;
}

/* Arguments between parentheses: [begin, end) of each. Returns how many tokens they take, with parentheses; 0: they do
 * not end. */
static size_t split_arguments(const struct macro *macro, const struct code_token *in, size_t count,
                              size_t (*arguments)[2], size_t *argument_count)
{
    size_t depth = 0, n = 0;
    arguments[0][0] = 1;
    for (size_t i = 0; i < count; i++) {
        if (code_token_is(&in[i], "("))
            depth++;
        bool close = code_token_is(&in[i], ")") && --depth == 0;
        bool comma = code_token_is(&in[i], ",") && depth == 1 && n + 1 < macro->parameter_count;
        if (close || comma)
            arguments[n++][1] = i;
        if (close) {
            *argument_count = n;
            return i + 1;
        }
        if (comma)
            arguments[n][0] = i + 1;
    }
    return 0;
}

static size_t parameter_of(const struct macro *macro, const struct code_token *token)
{
    for (size_t k = 0; token->kind == TOKEN_NAME && k < macro->parameter_count; k++)
        if (token->length == macro->parameters[k].length &&
            !memcmp(token->text, macro->parameters[k].text, token->length))
            return k;
    return SIZE_MAX;
}

static struct code_token joined(struct expansion *x, const struct code_token *a, const struct code_token *b)
{
    struct text text = {0};
    text_add(&text, a->text, a->length);
    text_add(&text, b->text, b->length);
    struct code_token token = *a;
    token.length = text.len;
    token.text = text_keep(&text, x->arena);
    return token;
}

static struct code_token stringized(struct expansion *x, const struct code_token *in, size_t count)
{
    struct text plain = {0}, quoted = {0};
    for (size_t i = 0; i < count; i++) {
        if (i && in[i].space)
            text_puts(&plain, " ");
        text_add(&plain, in[i].text, in[i].length);
    }
    text_puts(&plain, "");
    emit_string(&quoted, plain.data ? plain.data : "");
    text_free(&plain);
    size_t length = quoted.len;
    return (struct code_token){
        .kind = TOKEN_STRING, .space = true, .length = length, .text = text_keep(&quoted, x->arena)};
}

static void expand_argument(struct expansion *x, const struct code_token *in, size_t count,
                            struct token_list *out)
{
    if (x->nested == MACRO_NESTED)
        x->why = "more than 200 macros, one in an argument of the other";
    x->nested++;
    if (!x->why)
        expand(x, in, count, out);
    x->nested--;
}

/* The body with its parameters replaced. */
static void substitute(struct expansion *x, const struct macro *macro, const struct code_token *in,
                       size_t (*arguments)[2], size_t argument_count, struct token_list *out)
{
    bool paste = false;
    for (size_t i = 0; i < macro->body.tokens.len; i++) {
        const struct code_token *token = &macro->body.tokens.data[i];
        if (code_token_is(token, "##")) {
            paste = out->tokens.len > 0;
            continue;
        }
        bool quote = macro->with_arguments && code_token_is(token, "#") && i + 1 < macro->body.tokens.len;
        size_t k = parameter_of(macro, quote ? ++token : token);
        i += quote;
        size_t first = out->tokens.len;
        bool beside =
            paste || (i + 1 < macro->body.tokens.len && code_token_is(&macro->body.tokens.data[i + 1], "##"));
        if (k == SIZE_MAX) {
            vec_push(&out->tokens, *token);
        } else if (k < argument_count) {
            const struct code_token *from = in + arguments[k][0];
            size_t length = arguments[k][1] - arguments[k][0];
            if (quote)
                vec_push(&out->tokens, stringized(x, from, length));
            for (size_t n = 0; !quote && beside && n < length; n++)
                vec_push(&out->tokens, from[n]);
            if (!quote && !beside)
                expand_argument(x, from, length, out);
        }
        if (out->tokens.len > MACRO_TOKENS) {
            x->why = too_many;
            return;
        }
        if (paste && out->tokens.len > first && first) {
            out->tokens.data[first - 1] = joined(x, &out->tokens.data[first - 1], &out->tokens.data[first]);
            memmove(&out->tokens.data[first], &out->tokens.data[first + 1],
                    (out->tokens.len - first - 1) * sizeof *out->tokens.data);
            out->tokens.len--;
        }
        paste = false;
    }
}

/* Tries to expand a macro at the front; returns the tokens it took, 0 if there is none. */
static size_t expand_one(struct expansion *x, const struct code_token *in, size_t count,
                         struct token_list *out)
{
    struct macro macro = {0};
    size_t arguments[MACRO_PARAMETERS + 1][2], argument_count = 0, taken = 0;
    bool is_call = count > 1 && code_token_is(&in[1], "(");
    if (x->depth < MACRO_DEPTH && !is_active(x, in) && find_macro(x, in, is_call, &macro)) {
        taken = 1;
        if (macro.with_arguments) {
            size_t more = split_arguments(&macro, in + 1, count - 1, arguments, &argument_count);
            taken = more ? 1 + more : 0;
        }
    }
    if (taken) {
        struct token_list body = {0};
        substitute(x, &macro, in + 1, arguments, argument_count, &body);
        count_made(x, body.tokens.len);
        x->active[x->depth++] = arena_copy(x->arena, in->text, in->length);
        for (size_t i = 0; i < body.tokens.len; i++)
            body.tokens.data[i].line = 0;
        if (body.tokens.len)
            body.tokens.data[0].space = true;
        expand(x, body.tokens.data, body.tokens.len, out);
        x->depth--;
        vec_free(&body.tokens);
    }
    vec_free(&macro.body.tokens);
    return taken;
}

/* Words that C knows by headers, which need not be included for an annotation. */
static const char *known_word(const struct code_token *token, enum annotate_language language)
{
    if (code_token_is(token, "NULL"))
        return language == ANNOTATE_C ? "((void *)0)" : "nullptr";
    if (language == ANNOTATE_CXX)
        return NULL;
    return code_token_is(token, "true") ? "1" : code_token_is(token, "false") ? "0" : NULL;
}

/* What only the preprocessor knows. */
static const char *place_word(const struct expansion *x, const struct code_token *token)
{
    struct text text = {0};
    if (code_token_is(token, "__LINE__"))
        text_printf(&text, "%u", x->at.line);
    else if (code_token_is(token, "__FILE__") || code_token_is(token, "__BASE_FILE__"))
        text_printf(&text, "\"%s\"", x->at.file);
    else
        return NULL;
    return text_keep(&text, x->arena);
}

static void expand(struct expansion *x, const struct code_token *in, size_t count, struct token_list *out)
{
    for (size_t i = 0; i < count && !x->why;) {
        x->at.line = in[i].line ? in[i].line : x->at.line;
        size_t taken = in[i].kind == TOKEN_NAME ? expand_one(x, in + i, count - i, out) : 0;
        if (taken) {
            i += taken;
            continue;
        }
        struct code_token token = in[i++];
        const char *word = token.kind == TOKEN_NAME ? known_word(&token, x->macros->scan->language) : NULL;
        if (!word && token.kind == TOKEN_NAME)
            word = place_word(x, &token);
        if (word)
            token.text = word, token.length = strlen(word), token.kind = TOKEN_MARK;
        vec_push(&out->tokens, token);
    }
}

const char *macros_expand(const struct macro_lines *macros, size_t before, struct code *code,
                          struct arena *arena)
{
    struct expansion x = {.macros = macros, .arena = arena, .before = before, .at = code->at};
    struct token_list out = {0};
    expand(&x, code->tokens.data, code->tokens.len, &out);
    vec_free(&code->tokens);
    code->tokens.data = out.tokens.data;
    code->tokens.len = out.tokens.len;
    code->tokens.cap = out.tokens.cap;
    return x.why;
}

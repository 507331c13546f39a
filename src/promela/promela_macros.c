/* SPDX-License-Identifier: Apache-2.0 */
/* Macros as in C: arguments are expanded before they are put in, the result is looked at again, and a macro is not
 * expanded within itself. Left out: `#` (strings have no use here), and calls whose arguments begin in a macro's body and
 * end behind its use. */
#include "promela/promela_tokens.h"

#include <stdio.h>
#include <string.h>

enum { PARAMETERS_MAX = 32 };

struct promela_macro {
    bool has_parameters;
    bool is_busy; /* being expanded */
    uint32_t parameter_count;
    struct promela_name *parameters[PARAMETERS_MAX];
    const struct promela_token *body;
    size_t length;
};

/* A use with its arguments, as pieces of the tokens it stands in. */
struct use {
    const struct promela_token *name;
    const struct promela_token *starts[PARAMETERS_MAX];
    size_t lengths[PARAMETERS_MAX];
    uint32_t count;
    size_t consumed; /* tokens, the name included */
};

static bool is_name(const struct promela_token *t)
{
    return t->kind == TOKEN_NAME;
}

/* Reads `(a, b)`; gives the number of tokens read. */
static size_t read_parameters(struct promela_text *t, struct promela_macro *m,
                              const struct promela_token *line, size_t length,
                              const struct promela_token *directive)
{
    m->has_parameters = true;
    size_t i = 1;
    if (i < length && token_is(&line[i], ')'))
        return i + 1;
    for (; i + 1 < length && is_name(&line[i]); i += 2) {
        if (m->parameter_count == PARAMETERS_MAX)
            promela_fail(t, PL_MODEL_SYNTAX, line[i].place, "more than %d parameters", PARAMETERS_MAX);
        m->parameters[m->parameter_count++] = line[i].name;
        if (token_is(&line[i + 1], ')'))
            return i + 2;
        if (!token_is(&line[i + 1], ','))
            break;
    }
    promela_fail(t, PL_MODEL_SYNTAX, directive->place, "the parameters of the macro are not a list of names");
}

void promela_define_macro(struct promela_text *t, const struct promela_token *line, size_t length,
                          const struct promela_token *directive)
{
    if (length == 0 || !is_name(line))
        promela_fail(t, PL_MODEL_SYNTAX, directive->place, "#define needs a name");
    struct promela_name *name = line->name;
    if (strcmp(name->text, "defined") == 0)
        promela_fail(t, PL_MODEL_SYNTAX, line->place, "\"defined\" cannot be a macro");
    struct promela_macro *m = promela_alloc(t, sizeof *m);
    line++, length--;
    if (length > 0 && token_is(line, '(') && !line->after_space) {
        size_t read = read_parameters(t, m, line, length, directive);
        line += read, length -= read;
    }
    struct promela_token *body = promela_alloc(t, (length + 1) * sizeof *body);
    if (length > 0)
        memcpy(body, line, length * sizeof *body);
    m->body = body;
    m->length = length;
    if (length > 0 && (token_is(&body[0], SIGN2('#', '#')) || token_is(&body[length - 1], SIGN2('#', '#'))))
        promela_fail(t, PL_MODEL_SYNTAX, body[0].place, "## needs something on both sides");
    name->macro = m;
}

/* The arguments of a use; false: no parenthesis follows, so it is none. */
static bool read_use(struct promela_text *t, const struct promela_token *in, size_t length, struct use *u)
{
    *u = (struct use){.name = in};
    if (length < 2 || !token_is(&in[1], '('))
        return false;
    uint32_t depth = 0;
    size_t start = 2;
    for (size_t i = 1; i < length; i++) {
        bool opens = token_is(&in[i], '('), closes = token_is(&in[i], ')');
        depth += opens;
        bool ends = (closes && depth == 1) || (depth == 1 && token_is(&in[i], ','));
        depth -= closes;
        if (!ends)
            continue;
        if (u->count == PARAMETERS_MAX)
            promela_fail(t, PL_MODEL_SYNTAX, in->place, "more than %d arguments", PARAMETERS_MAX);
        u->starts[u->count] = &in[start];
        u->lengths[u->count++] = i - start;
        start = i + 1;
        u->consumed = i + 1;
        if (closes)
            return true;
    }
    promela_fail(t, PL_MODEL_SYNTAX, in->place, "the arguments of %s have no end", in->name->text);
}

static void check_count(struct promela_text *t, const struct promela_macro *m, struct use *u)
{
    if (m->parameter_count == 0 && u->count == 1 && u->lengths[0] == 0)
        u->count = 0;
    if (u->count != m->parameter_count)
        promela_fail(t, PL_MODEL_SYNTAX, u->name->place, "parameters of %s: %u, arguments here: %u",
                     u->name->name->text, m->parameter_count, u->count);
}

static void push(struct promela_text *t, promela_tokens *out, struct promela_token token)
{
    if (out->len >= PROMELA_TOKENS_MAX)
        promela_fail(t, PL_MODEL_SYNTAX, token.place, "the macros expand to too much");
    vec_push(out, token);
}

static int parameter_of(const struct promela_macro *m, const struct promela_token *token)
{
    for (uint32_t i = 0; i < m->parameter_count; i++)
        if (is_name(token) && m->parameters[i] == token->name)
            return (int)i;
    return -1;
}

static void paste(struct promela_text *t, struct promela_token *left, const struct promela_token *right)
{
    char joined[256];
    bool words =
        (is_name(left) || left->kind == TOKEN_NUMBER) && (is_name(right) || right->kind == TOKEN_NUMBER);
    char l[16], r[16];
    snprintf(l, sizeof l, "%d", left->value);
    snprintf(r, sizeof r, "%d", right->value);
    int length = snprintf(joined, sizeof joined, "%s%s", is_name(left) ? left->name->text : l,
                          is_name(right) ? right->name->text : r);
    if (!words || !is_name(left) || length >= (int)sizeof joined)
        promela_fail(t, PL_MODEL_UNSUPPORTED, left->place,
                     "## joins names and numbers, and begins with a name");
    left->name = promela_intern(t, joined, (size_t)length);
    left->is_final = false;
}

/* What a token of the body gives: itself, or an argument, expanded unless ## is beside it. */
static void put_body_token(struct promela_text *t, const struct promela_macro *m, const struct use *u,
                           size_t i, promela_tokens *out)
{
    int p = parameter_of(m, &m->body[i]);
    bool pasted = (i > 0 && token_is(&m->body[i - 1], SIGN2('#', '#'))) ||
                  (i + 1 < m->length && token_is(&m->body[i + 1], SIGN2('#', '#')));
    if (p < 0) {
        struct promela_token token = m->body[i];
        token.place = u->name->place;
        token.starts_line = false;
        token.inlined = u->name->inlined;
        push(t, out, token);
    } else if (pasted) {
        for (size_t k = 0; k < u->lengths[p]; k++)
            push(t, out, u->starts[p][k]);
    } else {
        promela_expand(t, u->starts[p], u->lengths[p], out);
    }
}

static void substitute(struct promela_text *t, const struct promela_macro *m, const struct use *u,
                       promela_tokens *out)
{
    for (size_t i = 0; i < m->length; i++) {
        if (token_is(&m->body[i], '#'))
            promela_fail(t, PL_MODEL_UNSUPPORTED, u->name->place, "outside the subset: # in a macro");
        if (!token_is(&m->body[i], SIGN2('#', '#'))) {
            put_body_token(t, m, u, i, out);
            continue;
        }
        size_t before = out->len;
        put_body_token(t, m, u, ++i, out);
        if (before == 0 || out->len == before)
            continue;
        paste(t, &out->data[before - 1], &out->data[before]);
        memmove(&out->data[before], &out->data[before + 1], (out->len - before - 1) * sizeof *out->data);
        out->len--;
    }
}

/* The text that the whole use has: what a reader sees of everything that it expands to. */
static void name_text(promela_tokens *out, size_t from, const struct promela_token *first,
                      const struct promela_token *last)
{
    for (size_t i = from; i < out->len; i++) {
        out->data[i].text_file = first->text_file;
        out->data[i].start = first->start;
        out->data[i].end =
            last->text_file == first->text_file && last->end >= first->end ? last->end : first->end;
    }
}

static size_t expand_use(struct promela_text *t, const struct promela_token *in, size_t length,
                         promela_tokens *out)
{
    struct promela_macro *m = in->name->macro;
    struct use u = {.name = in, .consumed = 1};
    if (m->has_parameters && !read_use(t, in, length, &u)) {
        push(t, out, *in);
        return 1;
    }
    if (m->has_parameters)
        check_count(t, m, &u);
    if (t->depth++ == PROMELA_DEPTH_MAX)
        promela_fail(t, PL_MODEL_SYNTAX, in->place, "macros are nested too deeply");
    promela_tokens *body = promela_new_tokens(t);
    size_t from = out->len;
    substitute(t, m, &u, body);
    m->is_busy = true;
    promela_expand(t, body->data, body->len, out);
    m->is_busy = false;
    name_text(out, from, in, &in[u.consumed - 1]);
    if (out->len > from)
        out->data[from].starts_line = in->starts_line; /* where a line begins, a statement can end */
    vec_free(body);
    t->depth--;
    return u.consumed;
}

void promela_expand(struct promela_text *t, const struct promela_token *in, size_t length,
                    promela_tokens *out)
{
    for (size_t i = 0; i < length;) {
        struct promela_token token = in[i];
        const struct promela_macro *m = is_name(&token) && !token.is_final ? token.name->macro : NULL;
        if (m && !m->is_busy) {
            i += expand_use(t, in + i, length - i, out);
            continue;
        }
        token.is_final |= m != NULL;
        push(t, out, token);
        i++;
    }
}

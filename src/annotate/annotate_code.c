/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate/annotate_code.h"

#include <string.h>

bool code_token_is(const struct code_token *token, const char *word)
{
    return strlen(word) == token->length && !memcmp(token->text, word, token->length);
}

bool code_is_use(const struct code *code, size_t i, const char *name)
{
    if (code->tokens.data[i].kind != TOKEN_NAME || !code_token_is(&code->tokens.data[i], name))
        return false;
    const struct code_token *before = i ? &code->tokens.data[i - 1] : NULL;
    return !before ||
           !(code_token_is(before, ".") || code_token_is(before, "->") || code_token_is(before, "::"));
}

bool code_uses(const struct code *code, const char *name)
{
    for (size_t i = 0; i < code->tokens.len; i++)
        if (code_is_use(code, i, name))
            return true;
    return false;
}

/* Is the star at `i` no product? */
static bool is_unary(const struct code *code, size_t i)
{
    if (i == 0)
        return true;
    const struct code_token *before = &code->tokens.data[i - 1];
    if (before->kind == TOKEN_NAME)
        return code_token_is(before, "return") || code_token_is(before, "sizeof");
    return before->kind == TOKEN_MARK && !code_token_is(before, ")") && !code_token_is(before, "]");
}

static unsigned index_in_brackets(const struct code *code, size_t i)
{
    if (i + 1 >= code->tokens.len || code->tokens.data[i].kind != TOKEN_NUMBER ||
        !code_token_is(&code->tokens.data[i + 1], "]"))
        return 0;
    unsigned long index = strtoul(code->tokens.data[i].text, NULL, 0);
    return index < 4096 ? (unsigned)index : 0;
}

unsigned code_looks_through(const struct code *code, const char *name)
{
    unsigned most = 0;
    for (size_t i = 0; i < code->tokens.len; i++) {
        if (!code_is_use(code, i, name))
            continue;
        unsigned elements = i && code_token_is(&code->tokens.data[i - 1], "*") && is_unary(code, i - 1);
        const struct code_token *next = i + 1 < code->tokens.len ? &code->tokens.data[i + 1] : NULL;
        if (next && code_token_is(next, "->"))
            elements = 1;
        if (next && code_token_is(next, "["))
            elements = index_in_brackets(code, i + 2) + 1;
        most = elements > most ? elements : most;
    }
    return most;
}

static bool is_one_of(const struct code *code, size_t i, const char *const *words)
{
    for (; i < code->tokens.len && *words; words++)
        if (code_token_is(&code->tokens.data[i], *words))
            return true;
    return false;
}

/* Is there a cast to something that is no pointer before the token? */
static bool is_cast_to_number(const struct code *code, size_t i)
{
    return i > 1 && code_token_is(&code->tokens.data[i - 1], ")") &&
           code->tokens.data[i - 2].kind == TOKEN_NAME;
}

/* Neither compared, nor followed at once, nor made a number. */
static bool is_handed_on(const struct code *code, size_t i)
{
    static const char *const before[] = {"!", "==", "!=", NULL};
    static const char *const after[] = {"->", "[", "(", "==", "!=", "&&", "||", "?", NULL};
    if (i && (is_one_of(code, i - 1, before) || is_cast_to_number(code, i)))
        return false;
    bool followed = i && code_token_is(&code->tokens.data[i - 1], "*") && is_unary(code, i - 1);
    return !followed && !is_one_of(code, i + 1, after);
}

bool code_hands_on(const struct code *code, const char *name)
{
    for (size_t i = 0; i < code->tokens.len; i++)
        if (code_is_use(code, i, name) && is_handed_on(code, i))
            return true;
    return false;
}

void code_free(struct code *code)
{
    vec_free(&code->tokens);
}

/* --- writing ------------------------------------------------------------------------------------- */

void emit_string(struct text *out, const char *text)
{
    text_puts(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            text_puts(out, "\\");
        if (*text == '?') /* no trigraphs */
            text_puts(out, "\\");
        text_add(out, text, 1);
    }
    text_puts(out, "\"");
}

static void emit_marker(struct emitter *e, const struct place *at, bool glue)
{
    if (e->out.len && e->out.data[e->out.len - 1] != '\n')
        text_puts(&e->out, "\n");
    text_printf(&e->out, "# %u \"%s\"%s\n", at->line, at->file, glue || at->system ? " 3" : "");
    e->at = *at;
    e->at.column = 1;
    e->glue = glue;
}

/* After code it stands where the code ended: errors about the whole of it are found there. */
void emit_glue(struct emitter *e, const struct place *at, const char *format, ...)
{
    if (!e->glue && e->at.file) {
        struct place end = e->at;
        emit_marker(e, &end, true);
        text_repeat(&e->out, " ", e->end ? e->end - 1 : 0);
    } else if (!e->glue || e->at.line != at->line || strcmp(e->at.file, at->file) != 0) {
        emit_marker(e, at, true);
    }
    va_list args;
    va_start(args, format);
    text_vprintf(&e->out, format, args);
    va_end(args);
}

void emit_resume(struct emitter *e, const struct place *at)
{
    bool here = !e->glue && e->at.file && !strcmp(e->at.file, at->file) && e->at.line == at->line &&
                e->at.column <= at->column;
    if (!here)
        emit_marker(e, at, false);
    text_repeat(&e->out, " ", at->column - e->at.column);
    e->at.column = at->column;
}

static void emit_directives(struct emitter *e, const char *lines)
{
    text_puts(&e->out, "\n");
    text_puts(&e->out, lines);
    e->at = (struct place){0};
    e->glue = false;
}

void emit_strict(struct emitter *e)
{
    emit_directives(e, "#pragma GCC diagnostic push\n"
                       "#pragma GCC diagnostic error \"-Wimplicit-function-declaration\"\n");
}

void emit_lenient(struct emitter *e)
{
    emit_directives(e, "#pragma GCC diagnostic pop\n");
}

static const char *renamed(const struct code *code, size_t i, const struct renames *renames)
{
    for (size_t k = 0; renames && k < renames->list.len; k++)
        if (code_is_use(code, i, renames->list.data[k].name))
            return renames->list.data[k].to;
    return NULL;
}

static void emit_token(struct emitter *e, const struct code *code, size_t i, const struct renames *renames)
{
    const struct code_token *token = &code->tokens.data[i];
    const char *to = renamed(code, i, renames);
    if (token->line && token->column <= COLUMNS_MOST) {
        struct place at = {code->at.file, token->line, token->column, code->at.system};
        emit_resume(e, &at);
        e->end = token->column + (unsigned)token->length;
    } else if (token->space) {
        text_puts(&e->out, " ");
        e->at.column++;
    }
    size_t length = to ? strlen(to) : token->length;
    text_add(&e->out, to ? to : token->text, length);
    e->at.column += (unsigned)length;
}

void emit_tokens(struct emitter *e, const struct code *code, size_t from, size_t to,
                 const struct renames *renames)
{
    for (size_t i = from; i < to; i++)
        emit_token(e, code, i, renames);
}

void emit_code(struct emitter *e, const struct code *code, const struct renames *renames)
{
    emit_tokens(e, code, 0, code->tokens.len, renames);
}

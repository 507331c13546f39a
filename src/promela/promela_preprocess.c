/* SPDX-License-Identifier: Apache-2.0 */
/* Directives. Files that include themselves end at the limit of their depth. */
#include "promela/promela_tokens.h"

#include <stdio.h>
#include <string.h>

enum { INCLUDES_MAX = 32, BRANCHES_MAX = 100 };

/* An #if with its branches. */
struct branch {
    const struct promela_token *directive;
    bool is_on, was_on, had_else;
};

struct preprocessor {
    struct promela_text *t;
    const promela_tokens *in;
    struct branch branches[BRANCHES_MAX];
    uint32_t depth;
    bool is_on;
};

static void update(struct preprocessor *p)
{
    p->is_on = true;
    for (uint32_t i = 0; i < p->depth; i++)
        p->is_on &= p->branches[i].is_on;
}

/* Behind the last token of the line that token `i` is on. */
static size_t line_end(const struct preprocessor *p, size_t i)
{
    do
        i++;
    while (!p->in->data[i].starts_line);
    return i;
}

/* A macro of `-D`, or one that is there from the beginning. */
void promela_define(struct promela_text *t, const char *option)
{
    const char *equals = strchr(option, '=');
    int name_length = (int)(equals ? (size_t)(equals - option) : strlen(option));
    size_t room = strlen(option) + sizeof " 1";
    char *text = promela_alloc(t, room);
    snprintf(text, room, "%.*s %s", name_length, option, equals ? equals + 1 : "1");
    uint16_t file = promela_add_file(t, "-D", text, strlen(text));
    promela_tokens *tokens = promela_new_tokens(t);
    promela_scan(t, file, tokens);
    promela_define_macro(t, tokens->data, tokens->len - 1, tokens->data);
}

static bool is_known_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, "plumb.pml") == 0;
}

static void include(struct preprocessor *p, const struct promela_token *line, size_t length,
                    const struct promela_token *directive)
{
    if (length != 1 || line->kind != TOKEN_STRING)
        promela_fail(p->t, PL_MODEL_SYNTAX, directive->place, "#include needs the name of a file in quotes");
    if (is_known_file(line->name->text))
        return;
    if (p->t->includes == INCLUDES_MAX)
        promela_fail(p->t, PL_MODEL_SYNTAX, directive->place, "files include each other too deeply");
    p->t->includes++;
    promela_preprocess(p->t, promela_open_file(p->t, line->name->text, line));
    p->t->includes--;
}

static void open_branch(struct preprocessor *p, const struct promela_token *directive, bool is_on)
{
    if (p->depth == BRANCHES_MAX)
        promela_fail(p->t, PL_MODEL_SYNTAX, directive->place, "#if is nested too deeply");
    p->branches[p->depth++] = (struct branch){directive, is_on, is_on, false};
}

static bool is_defined(struct preprocessor *p, const struct promela_token *line, size_t length,
                       const struct promela_token *directive)
{
    if (length == 0 || line->kind != TOKEN_NAME)
        promela_fail(p->t, PL_MODEL_SYNTAX, directive->place, "#%s needs a name", directive[1].name->text);
    return line->name->macro != NULL;
}

/* #elif and #else: on if no branch before was. */
static void next_branch(struct preprocessor *p, const struct promela_token *line, size_t length,
                        const struct promela_token *directive)
{
    bool is_else = strcmp(directive[1].name->text, "else") == 0;
    struct branch *b = p->depth ? &p->branches[p->depth - 1] : NULL;
    if (!b || b->had_else)
        promela_fail(p->t, PL_MODEL_SYNTAX, directive->place, "#%s without #if", directive[1].name->text);
    b->had_else = is_else;
    b->is_on = true;
    update(p); /* on all around? */
    b->is_on = p->is_on && !b->was_on && (is_else || promela_condition(p->t, line, length, directive));
    b->was_on |= b->is_on;
}

static bool is_word(const struct promela_token *name, const char *word)
{
    return strcmp(name->name->text, word) == 0;
}

/* The directives that decide what is read. True: it was one of them. */
static bool branch_directive(struct preprocessor *p, const struct promela_token *directive, size_t length)
{
    const struct promela_token *name = &directive[1], *line = &directive[2];
    if (is_word(name, "if")) {
        open_branch(p, directive, p->is_on && promela_condition(p->t, line, length, directive));
    } else if (is_word(name, "ifdef") || is_word(name, "ifndef")) {
        bool wanted = is_word(name, "ifdef");
        open_branch(p, directive, p->is_on && is_defined(p, line, length, directive) == wanted);
    } else if (is_word(name, "elif") || is_word(name, "else")) {
        next_branch(p, line, length, directive);
    } else if (is_word(name, "endif")) {
        if (p->depth == 0)
            promela_fail(p->t, PL_MODEL_SYNTAX, directive->place, "#endif without #if");
        p->depth--;
    } else {
        return false;
    }
    update(p);
    return true;
}

static void other_directive(struct preprocessor *p, const struct promela_token *directive, size_t length)
{
    const struct promela_token *name = &directive[1], *line = &directive[2];
    if (is_word(name, "define")) {
        promela_define_macro(p->t, line, length, directive);
    } else if (is_word(name, "undef")) {
        (void)is_defined(p, line, length, directive);
        line->name->macro = NULL;
    } else if (is_word(name, "include")) {
        include(p, line, length, directive);
    } else if (is_word(name, "error")) {
        const struct promela_file *f = &p->t->files.data[directive->place.file];
        uint32_t start = length ? line->start : name->end, end = length ? line[length - 1].end : name->end;
        promela_fail(p->t, PL_MODEL_SYNTAX, directive->place, "#error %.*s", (int)(end - start),
                     f->text + start);
    } else if (!is_word(name, "pragma") && !is_word(name, "warning")) {
        promela_fail(p->t, PL_MODEL_SYNTAX, name->place, "an unknown directive: #%s", name->name->text);
    }
}

static void read_directive(struct preprocessor *p, size_t from, size_t to)
{
    const struct promela_token *directive = &p->in->data[from];
    if (to - from == 1)
        return; /* a lone # is allowed */
    if (directive[1].kind != TOKEN_NAME)
        promela_fail(p->t, PL_MODEL_SYNTAX, directive->place, "a directive needs a name");
    size_t length = to - from - 2;
    if (!branch_directive(p, directive, length) && p->is_on)
        other_directive(p, directive, length);
}

/* Lines up to the next directive belong together: arguments of macros may go over several. */
static size_t text_end(const struct preprocessor *p, size_t i)
{
    const struct promela_token *token = &p->in->data[i];
    while (token->kind != TOKEN_END && !(token->starts_line && token_is(token, '#')))
        token++;
    return (size_t)(token - p->in->data);
}

void promela_preprocess(struct promela_text *t, uint16_t file)
{
    promela_tokens *in = promela_new_tokens(t);
    promela_scan(t, file, in);
    struct preprocessor p = {.t = t, .in = in, .is_on = true};
    for (size_t i = 0; in->data[i].kind != TOKEN_END;) {
        size_t end = text_end(&p, i);
        if (end > i && p.is_on)
            promela_expand(t, &in->data[i], end - i, &t->tokens);
        if (end == i) {
            end = line_end(&p, i);
            read_directive(&p, i, end);
        }
        i = end;
    }
    if (p.depth)
        promela_fail(t, PL_MODEL_SYNTAX, p.branches[p.depth - 1].directive->place, "#if without #endif");
}

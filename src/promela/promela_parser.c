/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the parser stand on: tokens, scopes. */
#include "promela/promela_parser.h"

#include <stdio.h>

enum promela_keyword next_word(const struct parser *p)
{
    const struct promela_token *t = next_token(p);
    return t->kind == TOKEN_NAME ? (enum promela_keyword)t->name->keyword : WORD_NONE;
}

struct promela_token take(struct parser *p)
{
    p->last = *p->stream->next;
    if (p->last.kind != TOKEN_END)
        p->stream->next++;
    return p->last;
}

bool accept_sign(struct parser *p, uint16_t sign)
{
    bool is = next_is(p, sign);
    if (is)
        take(p);
    return is;
}

bool accept_word(struct parser *p, enum promela_keyword word)
{
    bool is = next_word(p) == word;
    if (is)
        take(p);
    return is;
}

void outside(struct parser *p, struct promela_place at, const char *what)
{
    promela_fail(p->t, PL_MODEL_UNSUPPORTED, at, "outside the subset: %s", what);
}

/* The text of a token, for messages. */
static const char *shown(const struct promela_token *t, char *buffer, size_t size)
{
    switch (t->kind) {
    case TOKEN_END: snprintf(buffer, size, "the end"); break;
    case TOKEN_NUMBER: snprintf(buffer, size, "%d", t->value); break;
    case TOKEN_STRING: snprintf(buffer, size, "a string"); break;
    case TOKEN_NAME: snprintf(buffer, size, "\"%.60s\"", t->name->text); break;
    default:
        snprintf(buffer, size, "\"%c%.1s\"", t->sign & 255, (const char[2]){(char)(t->sign >> 8), 0});
        break;
    }
    return buffer;
}

static bool is_channel_sign(const struct promela_token *t)
{
    return token_is(t, '!') || token_is(t, '?') || token_is(t, SIGN2('!', '!')) ||
           token_is(t, SIGN2('?', '?'));
}

void unexpected(struct parser *p, const char *wanted)
{
    const struct promela_token *t = next_token(p);
    char text[80];
    if (t->kind == TOKEN_NAME && t->name->keyword == WORD_OUTSIDE)
        outside(p, t->place, t->name->text);
    if (is_channel_sign(t))
        outside(p, t->place, "channels");
    if (token_is(t, '@'))
        outside(p, t->place, "references into other processes");
    promela_fail(p->t, PL_MODEL_SYNTAX, t->place, "%s expected, not %s", wanted, shown(t, text, sizeof text));
}

struct promela_token expect_sign(struct parser *p, uint16_t sign, const char *where)
{
    char wanted[120];
    if (next_is(p, sign))
        return take(p);
    snprintf(wanted, sizeof wanted, "\"%c%.1s\" %s", sign & 255, (const char[2]){(char)(sign >> 8), 0},
             where);
    unexpected(p, wanted);
}

struct promela_token expect_name(struct parser *p, const char *what)
{
    const struct promela_token *t = next_token(p);
    if (t->kind != TOKEN_NAME || t->name->keyword)
        unexpected(p, what);
    return take(p);
}

void enter(struct parser *p)
{
    if (++p->depth > PROMELA_DEPTH_MAX)
        promela_fail(p->t, PL_MODEL_SYNTAX, next_token(p)->place, "nested too deeply");
}

void leave(struct parser *p)
{
    p->depth--;
}

void open_scope(struct parser *p)
{
    if (p->scope == PROMELA_DEPTH_MAX)
        promela_fail(p->t, PL_MODEL_SYNTAX, next_token(p)->place, "nested too deeply");
    p->scope_symbols[++p->scope] = NULL;
}

void close_scope(struct parser *p)
{
    for (struct promela_symbol *s = p->scope_symbols[p->scope]; s; s = s->next_in_scope)
        s->name->symbol = s->outer;
    p->scope--;
}

struct promela_symbol *declare(struct parser *p, const struct promela_token *name,
                               enum promela_symbol_kind kind)
{
    struct promela_symbol *old = name->name->symbol;
    if (name->name->text[0] == '_' && name->name->length == 1)
        promela_fail(p->t, PL_MODEL_MEANING, name->place, "\"_\" cannot be declared");
    if (old && (old->scope == p->scope || old->kind != SYMBOL_VARIABLE))
        promela_fail(p->t, PL_MODEL_MEANING, name->place, "\"%s\" is declared already, in line %u",
                     name->name->text, old->place.line);
    struct promela_symbol *s = promela_alloc(p->t, sizeof *s);
    *s = (struct promela_symbol){.kind = kind,
                                 .scope = p->scope,
                                 .name = name->name,
                                 .place = name->place,
                                 .outer = old,
                                 .next_in_scope = p->scope_symbols[p->scope]};
    p->scope_symbols[p->scope] = s;
    name->name->symbol = s;
    return s;
}

struct promela_symbol *find_symbol(struct parser *p, enum promela_symbol_kind kind)
{
    const struct promela_token *t = next_token(p);
    struct promela_symbol *s = t->kind == TOKEN_NAME && !t->name->keyword ? t->name->symbol : NULL;
    return s && s->kind == kind ? s : NULL;
}

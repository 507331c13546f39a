/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/litmus_lexer.h"

#include <ctype.h>
#include <string.h>

static bool at(const struct lexer *l, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(l->end - l->next) >= length && memcmp(l->next, text, length) == 0;
}

static void step(struct lexer *l)
{
    if (*l->next++ == '\n') {
        l->line++;
        l->line_start = l->next;
    }
}

/* A comment of the OCaml kind nests, one of C does not. False: it has no end. */
static bool skip_comment(struct lexer *l, const char *open, const char *close, bool nests)
{
    l->next += 2;
    for (unsigned depth = 1; l->next < l->end;) {
        bool opens = nests && at(l, open), closes = at(l, close);
        if (!opens && !closes) {
            step(l);
            continue;
        }
        l->next += 2;
        if (opens)
            depth++;
        else if (--depth == 0)
            return true;
    }
    return false;
}

/* White space and comments. False: a comment has no end. */
static bool skip_blank(struct lexer *l)
{
    for (bool ended = true; ended;) {
        if (l->next < l->end && isspace((unsigned char)*l->next))
            step(l);
        else if (at(l, "//"))
            lexer_skip_line(l);
        else if (at(l, "/*"))
            ended = skip_comment(l, "/*", "*/", false);
        else if (at(l, "(*") && !l->in_code)
            ended = skip_comment(l, "(*", "*)", true);
        else
            return true;
    }
    return false;
}

void lexer_skip_line(struct lexer *l)
{
    while (l->next < l->end && *l->next != '\n')
        l->next++;
}

static struct token begin(const struct lexer *l)
{
    return (struct token){.kind = TOKEN_END,
                          .start = l->next,
                          .line = l->line,
                          .column = (uint64_t)(l->next - l->line_start) + 1};
}

static void finish(struct lexer *l, struct token *t, enum token_kind kind, size_t length)
{
    t->kind = kind;
    t->length = length;
    l->next += length;
}

static void refuse(struct lexer *l, struct token *t, const char *why)
{
    t->bad = why;
    finish(l, t, TOKEN_BAD, l->next < l->end);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const struct lexer *l)
{
    size_t n = 0;
    while (l->next + n < l->end && is_word(l->next[n]))
        n++;
    return n;
}

/* Decimal, octal or hexadecimal, perhaps with the suffixes of C. */
static void read_number(struct lexer *l, struct token *t)
{
    size_t length = word_length(l), digits = length;
    while (digits > 1 && strchr("uUlL", l->next[digits - 1]))
        digits--;
    bool hex = digits > 2 && l->next[0] == '0' && (l->next[1] == 'x' || l->next[1] == 'X');
    int base = hex ? 16 : digits > 1 && l->next[0] == '0' ? 8 : 10;
    int64_t value = 0;
    for (size_t k = hex ? 2 : 0; k < digits; k++) {
        char c = l->next[k];
        int digit = isdigit((unsigned char)c)    ? c - '0'
                    : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10
                                                 : 99;
        if (digit >= base) {
            refuse(l, t, "not a number");
            return;
        }
        if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit, &value)) {
            refuse(l, t, "a number beyond 64 bits");
            return;
        }
    }
    t->value = value;
    finish(l, t, TOKEN_NUMBER, length);
}

static void read_string(struct lexer *l, struct token *t)
{
    for (size_t n = 1; l->next + n < l->end && l->next[n] != '\n'; n++) {
        if (l->next[n] == '"') {
            finish(l, t, TOKEN_STRING, n + 1);
            return;
        }
    }
    refuse(l, t, "a string without an end");
}

static void read_sign(struct lexer *l, struct token *t)
{
    static const char *const longer[] = {"/\\", "\\/", "=>", "==", "!=", "<=", ">=", "&&", "||", "<<",
                                         ">>",  "++",  "--", "+=", "-=", "*=", "|=", "&=", "^=", "->"};
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++) {
        if (at(l, longer[k])) {
            finish(l, t, TOKEN_SIGN, 2);
            return;
        }
    }
    if (*l->next && strchr("(){}[];,:=<>!~&|^+-*/%?.", *l->next))
        finish(l, t, TOKEN_SIGN, 1);
    else
        refuse(l, t, "a character that has no meaning here");
}

struct token lexer_next(struct lexer *l)
{
    struct token t = begin(l);
    if (!skip_blank(l)) {
        refuse(l, &t, "a comment without an end");
        return t;
    }
    t = begin(l);
    if (l->next == l->end)
        return t;
    if (isdigit((unsigned char)*l->next))
        read_number(l, &t);
    else if (is_word(*l->next))
        finish(l, &t, TOKEN_NAME, word_length(l));
    else if (*l->next == '"')
        read_string(l, &t);
    else
        read_sign(l, &t);
    return t;
}

struct token lexer_next_word(struct lexer *l)
{
    while (l->next < l->end && (*l->next == ' ' || *l->next == '\t'))
        l->next++;
    struct token t = begin(l);
    size_t length = 0;
    while (l->next + length < l->end && !isspace((unsigned char)l->next[length]) &&
           !iscntrl((unsigned char)l->next[length]))
        length++;
    if (length)
        finish(l, &t, TOKEN_NAME, length);
    return t;
}

bool token_is(const struct token *t, const char *text)
{
    return (t->kind == TOKEN_NAME || t->kind == TOKEN_SIGN) && t->length == strlen(text) &&
           memcmp(t->start, text, t->length) == 0;
}

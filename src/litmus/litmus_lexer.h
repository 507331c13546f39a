/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a litmus test. A lexer is a value: a copy of it looks ahead. */
#ifndef LITMUS_LEXER_H
#define LITMUS_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING, /* with its quotes */
    TOKEN_SIGN,   /* an operator or a bracket */
    TOKEN_BAD,    /* no token at all; `bad` says why */
};

struct token {
    enum token_kind kind;
    const char *start;
    size_t length;
    uint64_t line, column; /* from 1; columns count bytes */
    int64_t value;         /* of a number */
    const char *bad;
};

struct lexer {
    const char *next, *end, *line_start;
    uint64_t line;
    bool in_code; /* `(*` is no comment there: `(*x)` is C */
};

struct token lexer_next(struct lexer *l);

/* Everything up to white space or a control character. */
struct token lexer_next_word(struct lexer *l);

void lexer_skip_line(struct lexer *l);

bool token_is(const struct token *t, const char *text);

#endif

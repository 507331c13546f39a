/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of C and C++ after the preprocessor, and where they stand. */
#ifndef ANNOTATE_SCAN_H
#define ANNOTATE_SCAN_H

#include "annotate/annotate.h"

#include <stdbool.h>
#include <stdint.h>

enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_MARK, TOKEN_COMMENT, TOKEN_DIRECTIVE };

struct token {
    enum token_kind kind;
    size_t at, length; /* in the text */
};

/* The lines that follow a line marker. */
struct line_marker {
    size_t at;        /* where the next line begins */
    unsigned line;    /* its number */
    const char *file; /* as a C string literal has it, without quotes; in the arena */
    bool system;      /* of a system header */
};

struct place {
    const char *file;
    unsigned line, column;
    bool system;
};

struct scan {
    const char *bytes;
    size_t length;
    enum annotate_language language;
    VEC(struct token) tokens;
    VEC(struct line_marker) markers;
    VEC(size_t) lines; /* where each line but the first begins */
};

struct arena;

/* Blanks put the tokens of a line into their columns; behind this one they are not, as compilers give up there, too. */
enum { COLUMNS_MOST = 4096 };

/* The next token at or after *at, before `end`; false: there is none. `line_start`: a # begins a directive. */
bool scan_next(const char *bytes, size_t end, size_t *at, bool line_start, enum annotate_language language,
               struct token *found);
/* All of a text. */
void scan_text(struct scan *scan, struct arena *arena);
void scan_free(struct scan *scan);

struct place scan_place(const struct scan *scan, size_t at);

bool scan_token_is(const char *bytes, const struct token *token, const char *word);
bool is_name_start(char c);
bool is_name_char(char c);

#endif

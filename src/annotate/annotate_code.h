/* SPDX-License-Identifier: Apache-2.0 */
/* Code of an annotation: tokens with their places, macros expanded, and how they are written out again. */
#ifndef ANNOTATE_CODE_H
#define ANNOTATE_CODE_H

#include "annotate/annotate_scan.h"

struct code_token {
    enum token_kind kind;
    bool space;    /* there is one before it */
    unsigned line; /* 0: it comes from a macro */
    unsigned column;
    const char *text; /* in the arena, or the text translated */
    size_t length;
};

struct code {
    bool given;
    struct place at;
    const char *text; /* as the user wrote it, in one line */
    VEC(struct code_token) tokens;
};

/* The definitions of macros in a text, in its order. */
struct macro_line {
    const char *name; /* in the text */
    size_t length;
    size_t token; /* #define or #undef */
};

struct macro_lines {
    const struct scan *scan;
    VEC(size_t) tokens;             /* #define and #undef */
    VEC(struct macro_line) by_name; /* the same, of one name in the order of the text */
};

void macros_collect(struct macro_lines *macros, const struct scan *scan);
/* Expands those that are defined at `before`, an offset. Null, or why not. */
const char *macros_expand(const struct macro_lines *macros, size_t before, struct code *code,
                          struct arena *arena);
void macros_free(struct macro_lines *macros);

bool code_token_is(const struct code_token *token, const char *word);
/* The token is this name, and not one of a member. */
bool code_is_use(const struct code *code, size_t i, const char *name);
bool code_uses(const struct code *code, const char *name);
/* Is the pointer `name` followed, as in *p, p->x or p[2]? Then how many elements, else 0. */
unsigned code_looks_through(const struct code *code, const char *name);
/* Is the pointer handed on, as in f(p), q = p or *(p + 1), so that other code may follow it? */
bool code_hands_on(const struct code *code, const char *name);
void code_free(struct code *code);

/* A name of the specification and what stands for it. */
struct rename {
    const char *name, *to;
};
struct renames {
    VEC(struct rename) list;
};

/* Text for the compiler. Glue is what the translator writes, on the line of a place; code is the user's, at
 * its own lines and columns. */
struct emitter {
    struct text out;
    struct place at; /* of what comes next */
    unsigned end;    /* the column after the last token of code, as the user wrote it */
    bool glue;       /* the last marker was for glue, which has no warnings */
};

void emit_glue(struct emitter *e, const struct place *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void emit_code(struct emitter *e, const struct code *code, const struct renames *renames);
/* The tokens [from, to) of code. */
void emit_tokens(struct emitter *e, const struct code *code, size_t from, size_t to,
                 const struct renames *renames);
/* C, at file scope: between these, functions have to be declared. */
void emit_strict(struct emitter *e);
void emit_lenient(struct emitter *e);
/* What follows stands at this place of the user's text. */
void emit_resume(struct emitter *e, const struct place *at);
/* A string literal. */
void emit_string(struct text *out, const char *text);

#endif

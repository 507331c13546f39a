/* SPDX-License-Identifier: Apache-2.0 */
/* From files to tokens: reading, preprocessing, and the places that errors and counterexamples name. Everything lives in
 * the arena of one struct promela_text; the first error leaves by longjmp to the one function that set `on_error`. */
#ifndef PROMELA_TOKENS_H
#define PROMELA_TOKENS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/vec.h"

enum promela_token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SIGN };

/* Signs are numbered by their characters. */
#define SIGN2(a, b) ((uint16_t)((a) | (b) << 8))

/* A position in a file; lines and columns count from 1. */
struct promela_place {
    uint16_t file;
    uint32_t line, column;
};

struct promela_macro;
struct promela_symbol;

/* A name, once for all its uses: names are compared by address. */
struct promela_name {
    const char *text;
    uint32_t length;
    int keyword; /* promela_parser.h; 0: none */
    struct promela_macro *macro;
    struct promela_symbol *symbol;
    struct promela_name *next; /* in the hash table */
};

struct promela_token {
    uint8_t kind;
    bool starts_line;
    bool after_space;
    bool is_final; /* a name that stays as it is, although it is that of a macro */
    uint16_t sign;
    int32_t value;
    struct promela_name *name; /* also of strings: their text */
    struct promela_place place;
    /* Where its text is: of a token that a macro gave, the text of the macro's use. */
    uint16_t text_file;
    uint32_t start, end;
    uint32_t inlined; /* number of the inline call that it comes from; 0: none */
};

typedef VEC(struct promela_token) promela_tokens;

struct promela_file {
    char *path;
    char *text;
    size_t length;
};

struct promela_text {
    struct arena arena;
    jmp_buf on_error;
    struct diagnostic *diagnostic;
    VEC(struct promela_file) files;
    struct promela_name **names;
    uint32_t name_mask, name_count;
    promela_tokens tokens; /* the program, after preprocessing */
    VEC(promela_tokens *) scratch;
    uint32_t depth;    /* of macro uses within each other */
    uint32_t includes; /* files within each other */
};

enum {
    PROMELA_TOKENS_MAX = 4000000,
    PROMELA_DEPTH_MAX = 200,
};

void promela_text_open(struct promela_text *t, struct diagnostic *d);
void promela_text_free(struct promela_text *t);

_Noreturn void promela_fail(struct promela_text *t, int code, struct promela_place at, const char *format,
                            ...) __attribute__((format(printf, 4, 5)));

void *promela_alloc(struct promela_text *t, size_t size); /* zeroed */
struct promela_name *promela_intern(struct promela_text *t, const char *text, size_t length);

/* A vector that is freed with the text, whatever happens. */
promela_tokens *promela_new_tokens(struct promela_text *t);

/* Reads a file or a string (`-D`) into tokens without preprocessing. */
uint16_t promela_open_file(struct promela_text *t, const char *path, const struct promela_token *includer);
uint16_t promela_add_file(struct promela_text *t, const char *path, const char *text, size_t length);
void promela_scan(struct promela_text *t, uint16_t file, promela_tokens *out);

/* Appends the preprocessed file to t->tokens, without the end. */
void promela_preprocess(struct promela_text *t, uint16_t file);
void promela_define(struct promela_text *t, const char *option); /* NAME or NAME=TEXT */

/* Macros (promela_macros.c). `#define` and `#undef` without their first two tokens. */
void promela_define_macro(struct promela_text *t, const struct promela_token *line, size_t length,
                          const struct promela_token *directive);
void promela_expand(struct promela_text *t, const struct promela_token *in, size_t length,
                    promela_tokens *out);

/* The value of a constant expression of the preprocessor. */
bool promela_condition(struct promela_text *t, const struct promela_token *line, size_t length,
                       const struct promela_token *directive);

static inline bool token_is(const struct promela_token *t, uint16_t sign)
{
    return t->kind == TOKEN_SIGN && t->sign == sign;
}

#endif

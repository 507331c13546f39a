/* SPDX-License-Identifier: Apache-2.0 */
/* The parser, by recursive descent: what its files share. */
#ifndef PROMELA_PARSER_H
#define PROMELA_PARSER_H

#include "promela/promela_tree.h"

enum promela_keyword {
    WORD_NONE,
    WORD_ACTIVE,
    WORD_ASSERT,
    WORD_ATOMIC,
    WORD_BIT,
    WORD_BOOL,
    WORD_BREAK,
    WORD_BYTE,
    WORD_CALL,
    WORD_CALL2,
    WORD_DO,
    WORD_D_STEP,
    WORD_ELSE,
    WORD_FALSE,
    WORD_FI,
    WORD_FOR,
    WORD_GOTO,
    WORD_IF,
    WORD_IN,
    WORD_INIT,
    WORD_INLINE,
    WORD_INT,
    WORD_MTYPE,
    WORD_OD,
    WORD_PID,
    WORD_POINT,
    WORD_PRINTF,
    WORD_PRINTM,
    WORD_PROCTYPE,
    WORD_RET,
    WORD_RUN,
    WORD_SELECT,
    WORD_SEQUENTIAL,
    WORD_SHORT,
    WORD_SKIP,
    WORD_TRUE,
    WORD_TYPEDEF,
    WORD_UNSIGNED,
    WORD_OUTSIDE, /* a word of Promela that the subset lacks */
};

struct promela_inline {
    struct promela_name *name;
    struct promela_name **parameters;
    uint32_t parameter_count;
    const struct promela_token *body;
    size_t length;
    bool is_busy;
};

/* Where tokens come from: the file, or the body of an inline. Ends with TOKEN_END. */
struct token_stream {
    const struct promela_token *next;
    struct token_stream *below;
};

struct parser {
    struct promela_model *m;
    struct promela_text *t;
    struct token_stream *stream;
    struct promela_token last; /* the token read before the next one */
    struct promela_process_type *process;
    struct promela_symbol *scope_symbols[PROMELA_DEPTH_MAX + 1];
    uint32_t scope;
    uint32_t depth;
    uint32_t loops;   /* around the statement, up to the innermost d_step */
    uint32_t atomics; /* atomic and d_step around it */
    uint32_t choices; /* if and do around it */
    const struct promela_statement *d_step;
    uint32_t inlined, inline_count; /* the inline call that is being read; how many there were */
    size_t inlined_tokens;
    bool at_start; /* of the process: declarations set initial values and are no steps */
};

/* Tokens (promela_parser.c). */
static inline const struct promela_token *next_token(const struct parser *p)
{
    return p->stream->next;
}
static inline bool next_is(const struct parser *p, uint16_t sign)
{
    return token_is(p->stream->next, sign);
}
enum promela_keyword next_word(const struct parser *p);
struct promela_token take(struct parser *p);
bool accept_sign(struct parser *p, uint16_t sign);
bool accept_word(struct parser *p, enum promela_keyword word);
struct promela_token expect_sign(struct parser *p, uint16_t sign, const char *where);
struct promela_token expect_name(struct parser *p,
                                 const char *what); /* a name without a meaning as keyword */
_Noreturn void unexpected(struct parser *p, const char *wanted);
_Noreturn void outside(struct parser *p, struct promela_place at, const char *what);
void enter(struct parser *p); /* one level deeper, with a limit */
void leave(struct parser *p);

/* Names and scopes. */
void open_scope(struct parser *p);
void close_scope(struct parser *p);
struct promela_symbol *declare(struct parser *p, const struct promela_token *name,
                               enum promela_symbol_kind kind);
struct promela_symbol *find_symbol(struct parser *p,
                                   enum promela_symbol_kind kind); /* of the next token, or null */

/* Expressions. */
struct promela_expression *parse_expression(struct parser *p);
struct promela_expression *parse_constant(struct parser *p, const char *what); /* folded */
struct promela_expression *make_constant(struct parser *p, int32_t value, struct promela_place at);
struct promela_expression *make_binary(struct parser *p, enum promela_operator op,
                                       struct promela_expression *left, struct promela_expression *right,
                                       struct promela_place at);
struct promela_expression *make_use(struct parser *p, struct promela_reference *r);
struct promela_reference *parse_reference(struct parser *p);
/* The value if it does not depend on the state. */
bool promela_constant_value(const struct promela_expression *e, int32_t *value);
/* One operator on numbers; false: division by zero. Wide ones are of 64 bits, of which shifts count with `bits`. */
bool promela_apply(enum promela_operator op, int32_t a, int32_t b, int32_t *value);
bool promela_apply_wide(enum promela_operator op, int64_t a, int64_t b, unsigned bits, int64_t *value);

/* A binary operator, and how tightly it binds. Null: the token is none. */
struct promela_binary {
    uint16_t sign;
    uint8_t level;
    enum promela_operator op;
};
const struct promela_binary *promela_binary_of(const struct promela_token *t);

/* Declarations. */
bool starts_declaration(struct parser *p);
/* Appends to `list`; gives the first new one. */
struct promela_variable *parse_declaration(struct parser *p, struct promela_variable **list,
                                           struct promela_process_type *owner, bool with_initial);

/* Statements. A sequence ends before `}`, `::`, fi, od or the end of an inline. */
struct promela_statement *parse_sequence(struct parser *p, bool is_process);
uint32_t add_place(struct parser *p, const struct promela_token *first, const struct promela_token *last);
struct promela_statement *new_statement(struct parser *p, enum promela_statement_kind kind,
                                        const struct promela_token *first);
struct promela_statement *new_assignment(struct parser *p, struct promela_reference *target,
                                         struct promela_expression *value, const struct promela_token *first);
struct promela_statement *new_option(struct parser *p, struct promela_statement *body,
                                     const struct promela_token *first);    /* of if and do */
struct promela_statement *parse_block(struct parser *p, const char *where); /* in braces */
struct promela_statement *parse_for(struct parser *p, const struct promela_token *first);
struct promela_statement *parse_select(struct parser *p, const struct promela_token *first);
bool parse_inline_call(struct parser *p, struct promela_statement **s);

/* The whole program (promela_units.c). */
void promela_parse(struct promela_model *m);

#endif

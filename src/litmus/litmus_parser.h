/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the parser of litmus tests only.
 *
 * After an error the parser sees the end of the file: every loop ends there, and what is built meanwhile is thrown
 * away. So only the first error counts, and no function needs to pass one on. */
#ifndef LITMUS_PARSER_H
#define LITMUS_PARSER_H

#include "litmus/litmus.h"
#include "litmus/litmus_lexer.h"

enum {
    PARSER_DEPTH_MAX = 100,
    /* Expressions or formulas: chains of them are trees as deep as they are long */
    PARSER_SIZE_MAX = 10000,
};

struct parser_register {
    bool taken;     /* by a name, or for the running statement */
    uint32_t depth; /* of the block that declares it; 0: by the initial values only */
    bool visible;   /* the block is open */
};

struct parser {
    struct litmus_test *test;
    struct lexer lexer;
    struct token token; /* the current one */
    struct diagnostic *error;
    bool failed;
    bool in_filter;
    uint32_t nesting; /* of the functions that call themselves */

    /* of all threads */
    struct parser_register registers[PROGRAM_THREADS_MAX][PROGRAM_REGISTERS_MAX];
    struct token initial_at[PROGRAM_THREADS_MAX]; /* a register of the thread in the initial values */

    /* of the running thread */
    uint32_t thread, depth;
    uint64_t parameters; /* bits of the locations it knows */
    uint64_t atomics;    /* and of those among them whose type is atomic */
};

/* Tokens. */
void parser_step(struct parser *p);
bool parser_sees(const struct parser *p, const char *text);
bool parser_accept(struct parser *p, const char *text);
void parser_expect(struct parser *p, const char *text);
struct token parser_expect_name(struct parser *p, const char *what);
int64_t parser_expect_value(struct parser *p); /* a number, perhaps with a sign */

/* Both return 0, a valid number of anything. */
uint32_t parser_error_at(struct parser *p, const struct token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
uint32_t parser_unsupported(struct parser *p, const struct token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Balanced around everything recursive. False: nested too deep, an error. */
bool parser_enter(struct parser *p);
void parser_leave(struct parser *p);

/* Names. PROGRAM_*_MAX: there is none. */
uint32_t parser_find_location(const struct parser *p, const struct token *name);
uint32_t parser_find_register(const struct parser *p, uint32_t thread, const struct token *name);
uint32_t parser_new_location(struct parser *p, const struct token *name);
uint32_t parser_new_register(struct parser *p, uint32_t thread, const struct token *name); /* null: no name */

/* Consumes a type; false: there is none here. */
bool parser_accept_type(struct parser *p, bool *is_atomic);

/* litmus_threads.c: `P0 (...) { ... }` */
void parser_thread(struct parser *p);
/* litmus_expressions.c: returns an expression of the program */
uint32_t parser_expression(struct parser *p);
void parser_set(struct parser *p, uint32_t target, uint32_t value); /* register = expression */
void parser_forget_temporaries(struct parser *p);
/* litmus_calls.c: the name of a function was consumed and `(` is next; returns its result as an expression */
uint32_t parser_call(struct parser *p, const struct token *name);
uint32_t parser_plain_load(struct parser *p, uint32_t location); /* `*x` */
void parser_plain_store(struct parser *p, uint32_t location, uint32_t value);
/* A parameter of the running thread. */
uint32_t parser_location_here(struct parser *p, const struct token *name);
uint32_t parser_register_here(struct parser *p, const struct token *name);
/* litmus_condition.c: `locations`, `filter` and the condition, to the end */
void parser_question(struct parser *p);

/* The code of the running thread. The pointer is valid until the next instruction. */
struct instruction *parser_emit(struct parser *p, enum instruction_kind kind);
uint32_t parser_code_length(const struct parser *p);

#endif

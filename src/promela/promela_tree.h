/* SPDX-License-Identifier: Apache-2.0 */
/* A model as it is written: declarations, statements, expressions. The parser resolves names, so that a use of a variable
 * points to its declaration. Inlines are gone: each call has its own statements. */
#ifndef PROMELA_TREE_H
#define PROMELA_TREE_H

#include "promela/promela_tokens.h"

enum promela_type { TYPE_BIT, TYPE_BYTE, TYPE_SHORT, TYPE_INT, TYPE_UNSIGNED, TYPE_STRUCT };

struct promela_record;
struct promela_process_type;
struct promela_expression;

/* A variable, a parameter, or a field of a typedef. */
struct promela_variable {
    struct promela_name *name;
    struct promela_place place;
    enum promela_type type;
    bool is_array;
    bool is_mtype;
    uint8_t bits; /* TYPE_UNSIGNED */
    uint32_t count;
    struct promela_record *record;          /* TYPE_STRUCT */
    struct promela_expression *initial;     /* null: 0 */
    struct promela_process_type *owner;     /* null: global, or a field */
    uint32_t offset;                        /* in the globals, the frame of the process, or the record */
    uint32_t size;                          /* of all elements, in bytes */
    uint32_t number;                        /* among the owner's variables */
    uint8_t *holds_items;                   /* by offset within one element: promela_items.c */
    struct promela_variable *next, *hidden; /* in the owner; with the same name, in a scope further out */
};

struct promela_record {
    struct promela_name *name;
    struct promela_variable *fields;
    uint32_t size;
    struct promela_record *next;
};

/* A use of a variable: `q.slot[i]` has two parts. */
struct promela_reference {
    struct promela_variable *variable;
    struct promela_expression *index; /* null: none */
    struct promela_reference *field;
    struct promela_place place;
};

enum promela_operator {
    OPERATOR_CONSTANT,
    OPERATOR_VARIABLE,
    OPERATOR_PID,
    OPERATOR_CONDITIONAL,
    OPERATOR_NEGATE,
    OPERATOR_NOT,
    OPERATOR_COMPLEMENT,
    OPERATOR_OR,
    OPERATOR_AND,
    OPERATOR_BIT_OR,
    OPERATOR_BIT_XOR,
    OPERATOR_BIT_AND,
    OPERATOR_EQUAL,
    OPERATOR_UNEQUAL,
    OPERATOR_GREATER,
    OPERATOR_LESS,
    OPERATOR_GREATER_EQUAL,
    OPERATOR_LESS_EQUAL,
    OPERATOR_SHIFT_LEFT,
    OPERATOR_SHIFT_RIGHT,
    OPERATOR_ADD,
    OPERATOR_SUBTRACT,
    OPERATOR_MULTIPLY,
    OPERATOR_DIVIDE,
    OPERATOR_REMAINDER,
};

struct promela_expression {
    enum promela_operator op;
    int32_t value; /* OPERATOR_CONSTANT */
    uint32_t depth;
    struct promela_place place;
    struct promela_reference *reference; /* OPERATOR_VARIABLE */
    struct promela_expression *left, *right, *other;
    struct promela_expression *next; /* in lists of arguments and initial values */
};

enum promela_statement_kind {
    STATEMENT_CONDITION,
    STATEMENT_ASSIGN,
    STATEMENT_ASSERT,
    STATEMENT_PRINT,
    STATEMENT_GOTO,
    STATEMENT_BREAK,
    STATEMENT_ELSE,
    STATEMENT_IF,
    STATEMENT_DO,
    STATEMENT_ATOMIC,
    STATEMENT_D_STEP,
    STATEMENT_BLOCK,
    STATEMENT_SELECT, /* constant bounds: the value is chosen in one step */
    STATEMENT_CALL,
    STATEMENT_RETURN,
    STATEMENT_POINT,
    STATEMENT_RUN,
};

struct promela_label {
    struct promela_name *name;
    struct promela_place place;
    uint32_t inlined;
    uint32_t node;                          /* promela_graph.c */
    const struct promela_statement *d_step; /* the innermost around it */
    bool is_used;
    struct promela_label *next;       /* of the process */
    struct promela_label *same_place; /* of the statement */
};

struct promela_statement {
    enum promela_statement_kind kind;
    uint32_t place; /* number in promela_model.places */
    struct promela_place at;
    struct promela_label *labels;
    struct promela_expression *expression; /* CONDITION, ASSIGN, ASSERT, RETURN, POINT; RUN: its arguments */
    struct promela_reference *references[2]; /* ASSIGN, SELECT: the target; CALL: the arguments */
    int32_t low, high;                       /* SELECT */
    uint16_t operation;                      /* CALL, RETURN, POINT */
    uint8_t argument_count;                  /* CALL */
    uint32_t inlined;                        /* GOTO */
    struct promela_name *target;             /* GOTO, RUN */
    uint32_t instance;                       /* RUN: number of the process, known once all is read */
    struct promela_statement *body;          /* ATOMIC, D_STEP, BLOCK, an option */
    struct promela_statement *options;       /* IF, DO: each a BLOCK */
    struct promela_statement *next;
};

struct promela_process_type {
    struct promela_name *name;
    struct promela_place place;
    bool is_sequential, is_init;
    bool calls;                              /* has CALL */
    const struct promela_statement *answers; /* the first RET or POINT; null: none */
    bool asks_pid;                           /* uses _pid */
    uint32_t active;
    uint32_t parameter_count;
    struct promela_variable *variables; /* parameters first */
    uint32_t variable_count;
    uint32_t frame; /* bytes of all variables */
    struct promela_statement *body;
    struct promela_label *labels;
    struct promela_process_type *next;
};

/* A statement's place, as reports show it. */
struct promela_written {
    struct promela_place place;
    const char *text;
};

enum promela_symbol_kind { SYMBOL_VARIABLE, SYMBOL_RECORD, SYMBOL_PROCESS, SYMBOL_INLINE, SYMBOL_MTYPE };

/* What a name means here; `outer` is what it means outside the innermost block that declares it. */
struct promela_symbol {
    enum promela_symbol_kind kind;
    uint32_t scope;
    struct promela_name *name;
    struct promela_place place;
    struct promela_variable *variable;
    struct promela_record *record;
    struct promela_process_type *process;
    struct promela_inline *body;
    int32_t value;
    struct promela_symbol *outer, *next_in_scope;
};

struct promela_model {
    struct promela_text text;
    struct promela_variable *globals;
    uint32_t global_count;
    uint32_t globals_size;
    struct promela_record *records;
    struct promela_process_type *types;
    VEC(struct promela_statement *) runs; /* in the order of the text */
    VEC(const char *) operations;
    VEC(const struct promela_statement *) calls; /* of each operation, the first; null: none */
    VEC(struct promela_name *) mtypes;           /* number 1 is the first */
    VEC(struct promela_written) places;
};

#endif

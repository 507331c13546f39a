/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of C. Atomic operations inside become instructions of their own, whose results go to registers
 * without a name that are free again after the statement. */
#include "litmus/litmus_parser.h"

#include <string.h>

static uint32_t parse_binary(struct parser *p, unsigned level);

void parser_forget_temporaries(struct parser *p)
{
    for (uint32_t n = 0; n < PROGRAM_REGISTERS_MAX; n++)
        if (!p->test->registers[p->thread][n])
            p->registers[p->thread][n].taken = false;
}

uint32_t parser_location_here(struct parser *p, const struct token *name)
{
    uint32_t n = parser_find_location(p, name);
    if (n < PROGRAM_LOCATIONS_MAX && p->parameters >> n & 1)
        return n;
    return parser_error_at(p, name, "'%.*s' is not a parameter of this thread",
                           name->length < 40 ? (int)name->length : 40, name->start);
}

uint32_t parser_register_here(struct parser *p, const struct token *name)
{
    uint32_t n = parser_find_register(p, p->thread, name);
    if (n < PROGRAM_REGISTERS_MAX && p->registers[p->thread][n].visible)
        return n;
    uint32_t location = parser_find_location(p, name);
    if (location < PROGRAM_LOCATIONS_MAX && p->parameters >> location & 1)
        return parser_unsupported(p, name, "addresses as values are not supported");
    return parser_error_at(p, name, "'%.*s' is not declared", name->length < 40 ? (int)name->length : 40,
                           name->start);
}

/* ------------------------------------------------------------------ operands */

static uint32_t parse_parentheses(struct parser *p)
{
    parser_expect(p, "(");
    bool is_atomic;
    if (parser_accept_type(p, &is_atomic)) { /* a cast */
        if (parser_sees(p, "*"))
            parser_unsupported(p, &p->token, "addresses as values are not supported");
        parser_expect(p, ")");
        return parse_binary(p, UINT32_MAX);
    }
    uint32_t e = parser_expression(p);
    parser_expect(p, ")");
    return e;
}

static uint32_t parse_primary(struct parser *p)
{
    struct token at = p->token;
    if (p->test->program.expressions.len > PARSER_SIZE_MAX)
        return parser_unsupported(p, &at, "the program is too large");
    if (at.kind == TOKEN_NUMBER) {
        parser_step(p);
        return program_constant(&p->test->program, at.value);
    }
    if (parser_sees(p, "("))
        return parse_parentheses(p);
    if (parser_accept(p, "*")) {
        struct token name = parser_expect_name(p, "a location");
        return parser_plain_load(p, parser_location_here(p, &name));
    }
    if (parser_sees(p, "&"))
        return parser_unsupported(p, &at, "addresses as values are not supported");
    struct token name = parser_expect_name(p, "a value");
    if (parser_sees(p, "("))
        return parser_call(p, &name);
    return program_register(&p->test->program, parser_register_here(p, &name));
}

static uint32_t parse_unary(struct parser *p)
{
    struct program *program = &p->test->program;
    if (parser_accept(p, "!")) {
        uint32_t e = parse_binary(p, UINT32_MAX);
        return program_expression(program, EXPRESSION_NOT, e, e);
    }
    if (parser_accept(p, "-")) {
        uint32_t zero = program_constant(program, 0);
        return program_expression(program, EXPRESSION_SUB, zero, parse_binary(p, UINT32_MAX));
    }
    if (parser_accept(p, "~")) {
        uint32_t ones = program_constant(program, -1);
        return program_expression(program, EXPRESSION_XOR, ones, parse_binary(p, UINT32_MAX));
    }
    if (parser_accept(p, "+"))
        return parse_binary(p, UINT32_MAX);
    return parse_primary(p);
}

/* ------------------------------------------------------------------ operators */

static const struct binary {
    const char *text;
    unsigned level; /* the larger, the tighter */
    enum expression_kind kind;
    bool swapped;
} operators[] = {
    {"||", 0, EXPRESSION_LOGICAL_OR, false}, {"&&", 1, EXPRESSION_LOGICAL_AND, false},
    {"|", 2, EXPRESSION_OR, false},          {"^", 3, EXPRESSION_XOR, false},
    {"&", 4, EXPRESSION_AND, false},         {"==", 5, EXPRESSION_EQUAL, false},
    {"!=", 5, EXPRESSION_NOT_EQUAL, false},  {"<", 6, EXPRESSION_LESS, false},
    {"<=", 6, EXPRESSION_LESS_EQUAL, false}, {">", 6, EXPRESSION_LESS, true},
    {">=", 6, EXPRESSION_LESS_EQUAL, true},  {"+", 7, EXPRESSION_ADD, false},
    {"-", 7, EXPRESSION_SUB, false},         {"*", 8, EXPRESSION_MUL, false},
};

enum { OPERATOR_LEVELS = 9 };

static const struct binary *find_operator(const struct parser *p, unsigned level)
{
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
        if (operators[k].level == level && parser_sees(p, operators[k].text))
            return &operators[k];
    return NULL;
}

/* The right side of && and || happens only sometimes: no instruction may come of it. */
static uint32_t parse_right_side(struct parser *p, const struct binary *o)
{
    struct token at = p->token;
    uint32_t before = parser_code_length(p);
    uint32_t right = parse_binary(p, o->level + 1);
    if (o->level < 2 && parser_code_length(p) != before)
        parser_unsupported(p, &at, "an access to memory on the right of '%s' is not supported", o->text);
    return right;
}

static uint32_t parse_levels(struct parser *p, unsigned level)
{
    if (level >= OPERATOR_LEVELS)
        return parse_unary(p);
    uint32_t left = parse_binary(p, level + 1);
    const struct binary *o;
    while ((o = find_operator(p, level))) {
        parser_step(p);
        uint32_t right = parse_right_side(p, o);
        left = program_expression(&p->test->program, o->kind, o->swapped ? right : left,
                                  o->swapped ? left : right);
    }
    return left;
}

static uint32_t parse_binary(struct parser *p, unsigned level)
{
    /* The levels themselves do not nest: only what starts anew counts. */
    if (level > 0 && level < UINT32_MAX)
        return parse_levels(p, level);
    uint32_t e = parser_enter(p) ? parse_levels(p, level) : 0;
    parser_leave(p);
    return e;
}

/* ------------------------------------------------------------------ assignment */

static bool sees_assignment(const struct parser *p)
{
    if (p->token.kind != TOKEN_NAME)
        return false;
    struct lexer ahead = p->lexer;
    struct token next = lexer_next(&ahead);
    return token_is(&next, "=");
}

/* A result that was meant for a register without a name goes straight to the one it is assigned to, so that a
 * round of a waiting loop is a single instruction. */
void parser_set(struct parser *p, uint32_t target, uint32_t value)
{
    const struct program *program = &p->test->program;
    const struct expression *e = &program->expressions.data[value];
    uint32_t length = parser_code_length(p);
    struct instruction *last = length ? &program->threads[p->thread].code.data[length - 1] : NULL;
    if (p->failed)
        return;
    if (last && e->kind == EXPRESSION_REGISTER && last->target == e->value &&
        !p->test->registers[p->thread][e->value] && last->expected_register != (int32_t)target) {
        last->target = (int32_t)target;
        return;
    }
    struct instruction *set = parser_emit(p, INSTRUCTION_SET);
    set->target = (int32_t)target;
    set->expression = value;
}

static uint32_t parse_assignment(struct parser *p)
{
    struct token name = p->token;
    parser_step(p);
    parser_expect(p, "=");
    uint32_t n = parser_register_here(p, &name);
    parser_set(p, n, parser_expression(p));
    return program_register(&p->test->program, n);
}

uint32_t parser_expression(struct parser *p)
{
    uint32_t e = 0;
    if (parser_enter(p))
        e = sees_assignment(p) ? parse_assignment(p) : parse_binary(p, 0);
    parser_leave(p);
    return e;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and their statements, turned into instructions on the way. */
#include "litmus/litmus_parser.h"

#include <stdio.h>

static void parse_statement(struct parser *p);

struct instruction *parser_emit(struct parser *p, enum instruction_kind kind)
{
    struct program_thread *thread = &p->test->program.threads[p->thread];
    struct instruction new = {.kind = kind, .target = -1, .expected_register = -1};
    vec_push(&thread->code, new);
    return &vec_last(&thread->code);
}

uint32_t parser_code_length(const struct parser *p)
{
    return (uint32_t)p->test->program.threads[p->thread].code.len;
}

static struct instruction *instruction_at(struct parser *p, uint32_t n)
{
    return &p->test->program.threads[p->thread].code.data[n];
}

/* ------------------------------------------------------------------ blocks and declarations */

static void close_block(struct parser *p)
{
    struct parser_register *registers = p->registers[p->thread];
    for (uint32_t n = 0; n < PROGRAM_REGISTERS_MAX; n++)
        if (registers[n].visible && registers[n].depth == p->depth)
            registers[n].visible = false;
    p->depth--;
}

static void parse_block(struct parser *p)
{
    if (parser_enter(p)) {
        p->depth++;
        while (p->token.kind != TOKEN_END && !parser_sees(p, "}"))
            parse_statement(p);
        close_block(p);
    }
    parser_leave(p);
    p->lexer.in_code = p->depth > 0; /* a comment of the other kind may follow the thread */
    parser_expect(p, "}");
}

/* A name may be declared again once its block is over; final states show what it had last. */
static uint32_t declare(struct parser *p, const struct token *name)
{
    uint32_t location = parser_find_location(p, name);
    if (location < PROGRAM_LOCATIONS_MAX && p->parameters >> location & 1)
        return parser_error_at(p, name, "a parameter has this name already");
    uint32_t n = parser_find_register(p, p->thread, name);
    if (n == PROGRAM_REGISTERS_MAX)
        n = parser_new_register(p, p->thread, name);
    struct parser_register *r = &p->registers[p->thread][n];
    if (r->visible && r->depth > 0)
        return parser_error_at(p, name, "declared twice");
    r->depth = p->depth;
    r->visible = true;
    return n;
}

static void parse_declaration(struct parser *p)
{
    do {
        if (parser_sees(p, "*"))
            parser_unsupported(p, &p->token, "pointers as variables are not supported");
        struct token name = parser_expect_name(p, "a name");
        uint32_t n = declare(p, &name);
        if (parser_accept(p, "="))
            parser_set(p, n, parser_expression(p));
    } while (parser_accept(p, ","));
    parser_expect(p, ";");
}

/* ------------------------------------------------------------------ control */

static void parse_condition(struct parser *p, uint32_t *expression)
{
    parser_expect(p, "(");
    *expression = parser_expression(p);
    parser_expect(p, ")");
}

static void parse_branch(struct parser *p)
{
    p->depth++;
    parse_statement(p);
    close_block(p);
}

static void parse_if(struct parser *p)
{
    uint32_t condition;
    parse_condition(p, &condition);
    uint32_t skip_then = parser_code_length(p);
    parser_emit(p, INSTRUCTION_JUMP_IF_ZERO)->expression = condition;
    parser_forget_temporaries(p);
    parse_branch(p);
    if (!parser_accept(p, "else")) {
        instruction_at(p, skip_then)->destination = parser_code_length(p);
        return;
    }
    uint32_t skip_else = parser_code_length(p);
    parser_emit(p, INSTRUCTION_JUMP);
    instruction_at(p, skip_then)->destination = parser_code_length(p);
    parse_branch(p);
    instruction_at(p, skip_else)->destination = parser_code_length(p);
}

/* A loop whose rounds are one load each waits: what came before the last round is not seen by anyone. */
static void make_await(struct parser *p, const struct token *at, uint32_t start, uint32_t again)
{
    if (p->failed)
        return;
    struct instruction *load = parser_code_length(p) == start + 1 ? instruction_at(p, start) : NULL;
    if (!load || load->kind != INSTRUCTION_ACCESS || load->operation != OPERATION_LOAD) {
        parser_unsupported(p, at, "only loops that wait with one atomic load in each round are supported");
        return;
    }
    uint32_t done = program_expression(&p->test->program, EXPRESSION_NOT, again, again);
    load->kind = INSTRUCTION_AWAIT;
    load->expression = done;
    parser_forget_temporaries(p);
}

static void parse_while(struct parser *p, const struct token *at)
{
    uint32_t start = parser_code_length(p), again;
    parse_condition(p, &again);
    if (parser_accept(p, "{"))
        parser_expect(p, "}");
    else
        parser_expect(p, ";");
    make_await(p, at, start, again);
}

static void parse_do(struct parser *p, const struct token *at)
{
    uint32_t start = parser_code_length(p), again;
    parse_branch(p);
    parser_expect(p, "while");
    parse_condition(p, &again);
    parser_expect(p, ";");
    make_await(p, at, start, again);
}

/* ------------------------------------------------------------------ statements */

static void parse_plain_store(struct parser *p)
{
    parser_expect(p, "*");
    struct token name = parser_expect_name(p, "a location");
    uint32_t location = parser_location_here(p, &name);
    parser_expect(p, "=");
    parser_plain_store(p, location, parser_expression(p));
    parser_expect(p, ";");
}

static bool sees_any(const struct parser *p, const char *const *words, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (parser_sees(p, words[k]))
            return true;
    return false;
}

static void parse_statement_inside(struct parser *p)
{
    static const char *const others[] = {"for", "goto", "switch", "return", "break", "continue"};
    struct token at = p->token;
    bool is_atomic;
    if (parser_accept(p, ";"))
        return;
    if (parser_accept(p, "{"))
        parse_block(p);
    else if (parser_accept(p, "if"))
        parse_if(p);
    else if (parser_accept(p, "while"))
        parse_while(p, &at);
    else if (parser_accept(p, "do"))
        parse_do(p, &at);
    else if (sees_any(p, others, sizeof others / sizeof *others))
        parser_unsupported(p, &at, "'%.*s' is not supported", (int)at.length, at.start);
    else if (parser_accept_type(p, &is_atomic))
        parse_declaration(p);
    else if (parser_sees(p, "*"))
        parse_plain_store(p);
    else {
        parser_expression(p);
        parser_expect(p, ";");
    }
}

static void parse_statement(struct parser *p)
{
    if (parser_enter(p))
        parse_statement_inside(p);
    parser_forget_temporaries(p);
    parser_leave(p);
}

/* ------------------------------------------------------------------ threads */

static void parse_parameter(struct parser *p)
{
    bool is_atomic;
    if (!parser_accept_type(p, &is_atomic))
        parser_error_at(p, &p->token, "expected the type of a parameter");
    if (!parser_accept(p, "*"))
        parser_unsupported(p, &p->token, "only pointers to locations are supported as parameters");
    while (parser_sees(p, "const") || parser_sees(p, "volatile") || parser_sees(p, "restrict"))
        parser_step(p);
    struct token name = parser_expect_name(p, "the name of a location");
    if (p->failed)
        return;
    uint32_t location = parser_find_location(p, &name);
    if (location == PROGRAM_LOCATIONS_MAX)
        location = parser_new_location(p, &name);
    if (p->parameters >> location & 1)
        parser_error_at(p, &name, "two parameters have this name");
    if (parser_find_register(p, p->thread, &name) < PROGRAM_REGISTERS_MAX)
        parser_error_at(p, &name, "a register has this name already");
    p->parameters |= UINT64_C(1) << location;
    p->atomics |= (uint64_t)is_atomic << location;
}

static void parse_parameters(struct parser *p)
{
    parser_expect(p, "(");
    if (!parser_sees(p, ")") && !parser_sees(p, "void"))
        do
            parse_parameter(p);
        while (parser_accept(p, ","));
    else
        parser_accept(p, "void");
    parser_expect(p, ")");
}

static void show_initial_registers(struct parser *p)
{
    for (uint32_t n = 0; n < PROGRAM_REGISTERS_MAX; n++)
        if (p->test->registers[p->thread][n])
            p->registers[p->thread][n].visible = true;
}

void parser_thread(struct parser *p)
{
    struct program *program = &p->test->program;
    if (program->thread_count == PROGRAM_THREADS_MAX) {
        parser_unsupported(p, &p->token, "more than %d threads", PROGRAM_THREADS_MAX);
        return;
    }
    char name[8];
    snprintf(name, sizeof name, "P%u", program->thread_count);
    if (!parser_sees(p, name)) {
        parser_error_at(p, &p->token, "threads are numbered: expected '%s'", name);
        return;
    }
    p->thread = program->thread_count++;
    p->parameters = p->atomics = 0;
    p->lexer.in_code = true;
    show_initial_registers(p);
    parser_step(p);
    parse_parameters(p);
    parser_expect(p, "{");
    parse_block(p);
}

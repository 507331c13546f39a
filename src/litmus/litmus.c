/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a test: header, initial values, the order of its parts. */
#include "litmus/litmus.h"

#include "litmus/litmus_parser.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char *keep_name(struct litmus_test *t, const struct token *name)
{
    return arena_copy(&t->names, name->start, name->length);
}

/* ------------------------------------------------------------------ names */

static bool is_named(const char *name, const struct token *t)
{
    return name && strlen(name) == t->length && memcmp(name, t->start, t->length) == 0;
}

uint32_t parser_find_location(const struct parser *p, const struct token *name)
{
    uint32_t n = 0;
    while (n < p->test->program.location_count && !is_named(p->test->locations[n], name))
        n++;
    return n < p->test->program.location_count ? n : PROGRAM_LOCATIONS_MAX;
}

uint32_t parser_find_register(const struct parser *p, uint32_t thread, const struct token *name)
{
    uint32_t n = 0;
    while (n < PROGRAM_REGISTERS_MAX && !is_named(p->test->registers[thread][n], name))
        n++;
    return n;
}

uint32_t parser_new_location(struct parser *p, const struct token *name)
{
    struct program *program = &p->test->program;
    if (program->location_count == PROGRAM_LOCATIONS_MAX)
        return parser_unsupported(p, name, "more than %d locations", PROGRAM_LOCATIONS_MAX);
    p->test->locations[program->location_count] = keep_name(p->test, name);
    return program->location_count++;
}

uint32_t parser_new_register(struct parser *p, uint32_t thread, const struct token *name)
{
    uint32_t n = 0;
    while (n < PROGRAM_REGISTERS_MAX && p->registers[thread][n].taken)
        n++;
    if (n == PROGRAM_REGISTERS_MAX)
        return parser_unsupported(p, name ? name : &p->token,
                                  "more than %d variables and results in a thread", PROGRAM_REGISTERS_MAX);
    p->registers[thread][n].taken = true;
    if (name)
        p->test->registers[thread][n] = keep_name(p->test, name);
    return n;
}

/* ------------------------------------------------------------------ header */

static void parse_header(struct parser *p)
{
    parser_step(p);
    if (p->token.kind == TOKEN_END) {
        parser_error_at(p, &p->token, "the file is empty");
        return;
    }
    if (!parser_sees(p, "C")) {
        parser_unsupported(p, &p->token, "only litmus tests in C ('C NAME' on top) are read");
        return;
    }
    struct token name = lexer_next_word(&p->lexer);
    if (!name.length)
        parser_error_at(p, &name, "the test has no name");
    p->test->name = keep_name(p->test, &name);
    parser_step(p);
    while (p->token.kind == TOKEN_STRING)
        parser_step(p);
    while (p->token.kind == TOKEN_NAME) { /* Key=anything to the end of the line */
        parser_step(p);
        if (parser_sees(p, "="))
            lexer_skip_line(&p->lexer);
        parser_expect(p, "=");
    }
}

/* ------------------------------------------------------------------ initial values */

static void set_initial_register(struct parser *p, const struct token *at, int64_t thread)
{
    parser_expect(p, ":");
    struct token name = parser_expect_name(p, "a register");
    if (thread >= PROGRAM_THREADS_MAX) {
        parser_unsupported(p, at, "more than %d threads", PROGRAM_THREADS_MAX);
        return;
    }
    if (parser_find_register(p, (uint32_t)thread, &name) < PROGRAM_REGISTERS_MAX) {
        parser_error_at(p, at, "the register has an initial value already");
        return;
    }
    parser_expect(p, "=");
    int64_t value = parser_expect_value(p);
    if (p->failed)
        return;
    p->thread = (uint32_t)thread;
    p->initial_at[thread] = *at;
    uint32_t expression = program_constant(&p->test->program, value);
    uint32_t number = parser_new_register(p, p->thread, &name);
    struct instruction *set = parser_emit(p, INSTRUCTION_SET);
    set->target = (int32_t)number;
    set->expression = expression;
}

static void set_initial_location(struct parser *p)
{
    bool bracket = parser_accept(p, "[");
    struct token name = parser_expect_name(p, "a location");
    if (bracket)
        parser_expect(p, "]");
    else if (parser_sees(p, "["))
        parser_unsupported(p, &p->token, "arrays are not supported");
    uint32_t number = parser_find_location(p, &name);
    if (number < PROGRAM_LOCATIONS_MAX) {
        parser_error_at(p, &name, "the location has an initial value already");
        return;
    }
    number = parser_new_location(p, &name);
    p->test->program.initial[number] = parser_accept(p, "=") ? parser_expect_value(p) : 0;
}

static void parse_initial_values(struct parser *p)
{
    parser_expect(p, "{");
    while (!p->failed && !parser_sees(p, "}")) {
        if (parser_accept(p, ";"))
            continue;
        bool is_atomic;
        if (parser_accept_type(p, &is_atomic) && parser_sees(p, "*"))
            parser_unsupported(p, &p->token, "pointers in memory are not supported");
        struct token at = p->token;
        if (at.kind == TOKEN_NUMBER) {
            parser_step(p);
            set_initial_register(p, &at, at.value);
        } else {
            set_initial_location(p);
        }
        if (!parser_sees(p, "}"))
            parser_expect(p, ";");
    }
    parser_expect(p, "}");
}

/* ------------------------------------------------------------------ all together */

static bool is_thread_name(const struct token *t)
{
    if (t->kind != TOKEN_NAME || t->length < 2 || t->start[0] != 'P')
        return false;
    for (size_t k = 1; k < t->length; k++)
        if (t->start[k] < '0' || t->start[k] > '9')
            return false;
    return true;
}

static void check_initial_registers(struct parser *p)
{
    for (uint32_t t = p->test->program.thread_count; t < PROGRAM_THREADS_MAX; t++)
        if (p->initial_at[t].line)
            parser_error_at(p, &p->initial_at[t], "there is no thread P%u", t);
}

static void parse_test(struct parser *p)
{
    parse_header(p);
    parse_initial_values(p);
    if (!p->failed && !is_thread_name(&p->token))
        parser_error_at(p, &p->token, "expected a thread, 'P0 (...) { ... }'");
    while (is_thread_name(&p->token))
        parser_thread(p);
    check_initial_registers(p);
    parser_question(p);
}

bool litmus_parse(struct litmus_test *t, const char *bytes, size_t length, struct diagnostic *d)
{
    *t = (struct litmus_test){.filter = LITMUS_NO_FORMULA};
    OWNED struct parser *p = NEW(struct parser);
    p->test = t;
    p->error = d;
    p->lexer = (struct lexer){.next = bytes, .end = bytes + length, .line_start = bytes, .line = 1};
    program_constant(&t->program, 0); /* number 0, which stands for what could not be parsed */
    parse_test(p);
    return !p->failed;
}

bool litmus_read(struct litmus_test *t, const char *path, struct diagnostic *d)
{
    *t = (struct litmus_test){0};
    OWNED struct text content = {0};
    if (!text_add_written_file(&content, path))
        return diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot read '%s': %s", path, strerror(errno));
    return litmus_parse(t, content.data, content.len, d);
}

void litmus_free(struct litmus_test *t)
{
    program_free(&t->program);
    vec_free(&t->formulas);
    vec_free(&t->observed);
    arena_free(&t->names);
}

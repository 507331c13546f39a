/* SPDX-License-Identifier: Apache-2.0 */
/* What all parts of the parser need: tokens, errors, types. */
#include "litmus/litmus_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fail(struct parser *p, int code, const struct token *at, const char *format, va_list args)
{
    if (p->failed)
        return;
    char message[sizeof p->error->message];
    vsnprintf(message, sizeof message, format, args);
    diagnostic_set(p->error, code, at->line, at->column, "%s", message);
    p->failed = true;
    p->token.kind = TOKEN_END;
    p->lexer.next = p->lexer.end;
}

uint32_t parser_error_at(struct parser *p, const struct token *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(p, PL_LITMUS_SYNTAX, at, format, args);
    va_end(args);
    return 0;
}

uint32_t parser_unsupported(struct parser *p, const struct token *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(p, PL_LITMUS_UNSUPPORTED, at, format, args);
    va_end(args);
    return 0;
}

void parser_step(struct parser *p)
{
    if (p->failed)
        return;
    p->token = lexer_next(&p->lexer);
    if (p->token.kind == TOKEN_BAD)
        parser_error_at(p, &p->token, "%s", p->token.bad);
}

bool parser_sees(const struct parser *p, const char *text)
{
    return token_is(&p->token, text);
}

bool parser_accept(struct parser *p, const char *text)
{
    if (!parser_sees(p, text))
        return false;
    parser_step(p);
    return true;
}

static void expected(struct parser *p, const char *what)
{
    if (p->token.kind == TOKEN_END)
        parser_error_at(p, &p->token, "expected %s, but the file ends", what);
    else
        parser_error_at(p, &p->token, "expected %s, not '%.*s'", what,
                        p->token.length < 40 ? (int)p->token.length : 40, p->token.start);
}

void parser_expect(struct parser *p, const char *text)
{
    char quoted[16];
    snprintf(quoted, sizeof quoted, "'%s'", text);
    if (!parser_accept(p, text))
        expected(p, quoted);
}

struct token parser_expect_name(struct parser *p, const char *what)
{
    struct token name = p->token;
    if (name.kind == TOKEN_NAME)
        parser_step(p);
    else
        expected(p, what);
    return name;
}

int64_t parser_expect_value(struct parser *p)
{
    bool negative = parser_accept(p, "-");
    if (!negative)
        parser_accept(p, "+");
    int64_t value = p->token.value;
    if (p->token.kind == TOKEN_NAME || parser_sees(p, "&"))
        return parser_unsupported(p, &p->token, "addresses as values are not supported");
    if (p->token.kind != TOKEN_NUMBER) {
        expected(p, "a number");
        return 0;
    }
    parser_step(p);
    return negative ? -value : value;
}

bool parser_enter(struct parser *p)
{
    if (p->nesting == PARSER_DEPTH_MAX)
        parser_unsupported(p, &p->token, "nested too deep");
    p->nesting++;
    return !p->failed;
}

void parser_leave(struct parser *p)
{
    p->nesting--;
}

static bool is_type_word(const struct token *t)
{
    static const char *const words[] = {
        "int",         "long",         "short",         "char",         "unsigned",      "signed",
        "bool",        "_Bool",        "volatile",      "const",        "_Atomic",       "void",
        "int8_t",      "int16_t",      "int32_t",       "int64_t",      "uint8_t",       "uint16_t",
        "uint32_t",    "uint64_t",     "intptr_t",      "uintptr_t",    "size_t",        "atomic_int",
        "atomic_uint", "atomic_long",  "atomic_ulong",  "atomic_llong", "atomic_ullong", "atomic_short",
        "atomic_char", "atomic_uchar", "atomic_ushort", "atomic_bool",  "atomic_size_t", "intmax_t",
    };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (token_is(t, words[k]))
            return true;
    return false;
}

/* `_Atomic (int)` */
static void accept_wrapped_type(struct parser *p)
{
    if (!parser_accept(p, "("))
        return;
    while (is_type_word(&p->token))
        parser_step(p);
    parser_expect(p, ")");
}

bool parser_accept_type(struct parser *p, bool *is_atomic)
{
    bool any = false;
    *is_atomic = false;
    while (is_type_word(&p->token)) {
        bool wraps = parser_sees(p, "_Atomic");
        *is_atomic |= wraps || (p->token.length > 7 && memcmp(p->token.start, "atomic_", 7) == 0);
        parser_step(p);
        any = true;
        if (wraps)
            accept_wrapped_type(p);
    }
    if (any)
        return true;
    if (parser_sees(p, "struct") || parser_sees(p, "union") || parser_sees(p, "enum") ||
        parser_sees(p, "float") || parser_sees(p, "double"))
        parser_unsupported(p, &p->token, "only integer types are supported");
    return false;
}

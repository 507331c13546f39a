/* SPDX-License-Identifier: Apache-2.0 */
/* The expressions of #if and #elif, in 64 bits as in C. */
#include "promela/promela_tokens.h"

#include <string.h>

struct condition {
    struct promela_text *t;
    const struct promela_token *next, *end, *directive;
    uint32_t depth;
    uint32_t idle; /* inside the side of && || ?: that does not count: division by zero is none */
};

static int64_t read_conditional(struct condition *c);

_Noreturn static void refuse(struct condition *c, const char *why)
{
    const struct promela_token *at = c->next < c->end ? c->next : c->directive;
    promela_fail(c->t, PL_MODEL_SYNTAX, at->place, "%s", why);
}

static bool accept(struct condition *c, uint16_t sign)
{
    bool is = c->next < c->end && token_is(c->next, sign);
    c->next += is;
    return is;
}

static int64_t read_primary(struct condition *c)
{
    if (++c->depth > PROMELA_DEPTH_MAX)
        refuse(c, "the condition is nested too deeply");
    int64_t value = 0;
    if (c->next == c->end)
        refuse(c, "the condition ends too early");
    if (accept(c, '!')) {
        value = !read_primary(c);
    } else if (accept(c, '-')) {
        value = (int64_t)(0 - (uint64_t)read_primary(c));
    } else if (accept(c, '+')) {
        value = read_primary(c);
    } else if (accept(c, '~')) {
        value = ~read_primary(c);
    } else if (accept(c, '(')) {
        value = read_conditional(c);
        if (!accept(c, ')'))
            refuse(c, "\")\" is missing in the condition");
    } else if (c->next->kind == TOKEN_NUMBER) {
        value = c->next++->value;
    } else if (c->next->kind == TOKEN_NAME) {
        c->next++; /* a name that is no macro */
    } else {
        refuse(c, "not a condition");
    }
    c->depth--;
    return value;
}

/* How tightly binary operators bind; 0: none. */
static int binding(const struct condition *c)
{
    static const struct {
        uint16_t sign;
        int level;
    } table[] = {{SIGN2('|', '|'), 1},
                 {SIGN2('&', '&'), 2},
                 {'|', 3},
                 {'^', 4},
                 {'&', 5},
                 {SIGN2('=', '='), 6},
                 {SIGN2('!', '='), 6},
                 {'<', 7},
                 {'>', 7},
                 {SIGN2('<', '='), 7},
                 {SIGN2('>', '='), 7},
                 {SIGN2('<', '<'), 8},
                 {SIGN2('>', '>'), 8},
                 {'+', 9},
                 {'-', 9},
                 {'*', 10},
                 {'/', 10},
                 {'%', 10}};
    if (c->next == c->end || c->next->kind != TOKEN_SIGN)
        return 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].sign == c->next->sign)
            return table[i].level;
    return 0;
}

static int64_t divide(struct condition *c, uint16_t sign, int64_t a, int64_t b)
{
    if (b == 0 && !c->idle)
        refuse(c, "division by zero in the condition");
    if (b == 0)
        return 0;
    if (b == -1)
        return sign == '/' ? (int64_t)(0 - (uint64_t)a) : 0;
    return sign == '/' ? a / b : a % b;
}

static int64_t apply(struct condition *c, uint16_t sign, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (sign) {
    case SIGN2('|', '|'): return a || b;
    case SIGN2('&', '&'): return a && b;
    case '|': return a | b;
    case '^': return a ^ b;
    case '&': return a & b;
    case SIGN2('=', '='): return a == b;
    case SIGN2('!', '='): return a != b;
    case '<': return a < b;
    case '>': return a > b;
    case SIGN2('<', '='): return a <= b;
    case SIGN2('>', '='): return a >= b;
    case SIGN2('<', '<'): return (int64_t)(x << (y & 63));
    case SIGN2('>', '>'): return a >> (y & 63);
    case '+': return (int64_t)(x + y);
    case '-': return (int64_t)(x - y);
    case '*': return (int64_t)(x * y);
    default: return divide(c, sign, a, b);
    }
}

static int64_t read_binary(struct condition *c, int least)
{
    int64_t left = read_primary(c);
    for (int level; (level = binding(c)) >= least && level;) {
        uint16_t sign = c->next++->sign;
        bool idle = (sign == SIGN2('|', '|') && left) || (sign == SIGN2('&', '&') && !left);
        c->idle += idle;
        int64_t right = read_binary(c, level + 1);
        c->idle -= idle;
        left = apply(c, sign, left, right);
    }
    return left;
}

static int64_t read_conditional(struct condition *c)
{
    if (++c->depth > PROMELA_DEPTH_MAX)
        refuse(c, "the condition is nested too deeply");
    int64_t test = read_binary(c, 1);
    if (accept(c, '?')) {
        c->idle += !test;
        int64_t yes = read_conditional(c);
        c->idle -= !test;
        if (!accept(c, ':'))
            refuse(c, "\":\" is missing in the condition");
        c->idle += test != 0;
        int64_t no = read_conditional(c);
        c->idle -= test != 0;
        test = test ? yes : no;
    }
    c->depth--;
    return test;
}

/* Replaces `defined NAME` and `defined(NAME)`: before macros are expanded, or the name would be gone. */
static void put_defined(struct promela_text *t, const struct promela_token *line, size_t length,
                        promela_tokens *out)
{
    for (size_t i = 0; i < length; i++) {
        struct promela_token token = line[i];
        if (token.kind == TOKEN_NAME && strcmp(token.name->text, "defined") == 0) {
            bool open = i + 1 < length && token_is(&line[i + 1], '(');
            i += open ? 2 : 1;
            if (i >= length || line[i].kind != TOKEN_NAME ||
                (open && (i + 1 >= length || !token_is(&line[i + 1], ')'))))
                promela_fail(t, PL_MODEL_SYNTAX, token.place, "\"defined\" needs a name");
            token.kind = TOKEN_NUMBER;
            token.value = line[i].name->macro != NULL;
            i += open;
        }
        vec_push(out, token);
    }
}

bool promela_condition(struct promela_text *t, const struct promela_token *line, size_t length,
                       const struct promela_token *directive)
{
    promela_tokens *plain = promela_new_tokens(t), *expanded = promela_new_tokens(t);
    put_defined(t, line, length, plain);
    promela_expand(t, plain->data, plain->len, expanded);
    struct condition c = {
        .t = t, .next = expanded->data, .end = expanded->data + expanded->len, .directive = directive};
    bool value = read_conditional(&c) != 0;
    if (c.next != c.end)
        refuse(&c, "something is left over behind the condition");
    vec_free(plain);
    vec_free(expanded);
    return value;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The expressions of #if and #elif, in 64 bits as in C. */
#include "promela/promela_parser.h"

#include <string.h>

struct condition {
    struct promela_text *t;
    const struct promela_token *next, *end, *directive;
    uint32_t depth;
    /* Inside the side of && || ?: that does not count: division by zero is none */
    uint32_t idle;
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

static int64_t apply(struct condition *c, enum promela_operator op, int64_t a, int64_t b)
{
    int64_t value = 0;
    if (!promela_apply_wide(op, a, b, 64, &value) && !c->idle)
        refuse(c, "division by zero in the condition");
    return value;
}

static int64_t read_binary(struct condition *c, int least)
{
    int64_t left = read_primary(c);
    for (const struct promela_binary *o;
         c->next < c->end && (o = promela_binary_of(c->next)) && o->level >= least;) {
        bool idle = (o->op == OPERATOR_OR && left) || (o->op == OPERATOR_AND && !left);
        c->next++;
        c->idle += idle;
        int64_t right = read_binary(c, o->level + 1);
        c->idle -= idle;
        left = apply(c, o->op, left, right);
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

/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions, with the precedence that they have in SPIN (that of C, and a conditional only in parentheses). */
#include "promela/promela_parser.h"

#include <string.h>

static const struct promela_binary binaries[] = {
    {SIGN2('|', '|'), 1, OPERATOR_OR},
    {SIGN2('&', '&'), 2, OPERATOR_AND},
    {'|', 3, OPERATOR_BIT_OR},
    {'^', 4, OPERATOR_BIT_XOR},
    {'&', 5, OPERATOR_BIT_AND},
    {SIGN2('=', '='), 6, OPERATOR_EQUAL},
    {SIGN2('!', '='), 6, OPERATOR_UNEQUAL},
    {'>', 7, OPERATOR_GREATER},
    {'<', 7, OPERATOR_LESS},
    {SIGN2('>', '='), 7, OPERATOR_GREATER_EQUAL},
    {SIGN2('<', '='), 7, OPERATOR_LESS_EQUAL},
    {SIGN2('<', '<'), 8, OPERATOR_SHIFT_LEFT},
    {SIGN2('>', '>'), 8, OPERATOR_SHIFT_RIGHT},
    {'+', 9, OPERATOR_ADD},
    {'-', 9, OPERATOR_SUBTRACT},
    {'*', 10, OPERATOR_MULTIPLY},
    {'/', 10, OPERATOR_DIVIDE},
    {'%', 10, OPERATOR_REMAINDER},
};

static struct promela_expression *new_expression(struct parser *p, enum promela_operator op,
                                                 struct promela_place at)
{
    struct promela_expression *e = promela_alloc(p->t, sizeof *e);
    e->op = op;
    e->place = at;
    return e;
}

static uint32_t depth_of(const struct promela_expression *e)
{
    return e ? e->depth + 1 : 0;
}

static void set_parts(struct parser *p, struct promela_expression *e, struct promela_expression *left,
                      struct promela_expression *right, struct promela_expression *other)
{
    e->left = left;
    e->right = right;
    e->other = other;
    uint32_t l = depth_of(left), r = depth_of(right), o = depth_of(other);
    e->depth = l > r ? l : r;
    e->depth = o > e->depth ? o : e->depth;
    if (e->depth > PROMELA_DEPTH_MAX)
        promela_fail(p->t, PL_MODEL_SYNTAX, e->place, "the expression is too deep");
}

struct promela_expression *make_constant(struct parser *p, int32_t value, struct promela_place at)
{
    struct promela_expression *e = new_expression(p, OPERATOR_CONSTANT, at);
    e->value = value;
    return e;
}

struct promela_expression *make_binary(struct parser *p, enum promela_operator op,
                                       struct promela_expression *left, struct promela_expression *right,
                                       struct promela_place at)
{
    struct promela_expression *e = new_expression(p, op, at);
    set_parts(p, e, left, right, NULL);
    return e;
}

struct promela_expression *make_use(struct parser *p, struct promela_reference *r)
{
    struct promela_expression *e = new_expression(p, OPERATOR_VARIABLE, r->place);
    e->reference = r;
    for (struct promela_reference *part = r; part; part = part->field)
        if (part->index && part->index->depth + 1 > e->depth)
            e->depth = part->index->depth + 1;
    return e;
}

static struct promela_variable *find_field(struct parser *p, struct promela_record *record,
                                           const struct promela_token *name)
{
    for (struct promela_variable *v = record->fields; v; v = v->next)
        if (v->name == name->name)
            return v;
    promela_fail(p->t, PL_MODEL_MEANING, name->place, "%s has no field \"%s\"", record->name->text,
                 name->name->text);
}

static void parse_index(struct parser *p, struct promela_reference *r)
{
    const struct promela_variable *v = r->variable;
    int32_t value;
    if (v->is_array != next_is(p, '['))
        promela_fail(p->t, PL_MODEL_MEANING, v->is_array ? r->place : next_token(p)->place,
                     v->is_array ? "\"%s\" is an array: an index is missing" : "\"%s\" is not an array",
                     v->name->text);
    if (!accept_sign(p, '['))
        return;
    r->index = parse_expression(p);
    expect_sign(p, ']', "behind the index");
    if (promela_constant_value(r->index, &value) && (value < 0 || (uint32_t)value >= v->count))
        promela_fail(p->t, PL_MODEL_MEANING, r->index->place,
                     "index %d is out of range: \"%s\" has %u elements", value, v->name->text, v->count);
}

/* The parts behind the first name. */
static struct promela_reference *parse_parts(struct parser *p, struct promela_variable *v,
                                             struct promela_place at)
{
    struct promela_reference *r = promela_alloc(p->t, sizeof *r);
    r->variable = v;
    r->place = at;
    parse_index(p, r);
    if (v->type != TYPE_STRUCT && next_is(p, '.'))
        promela_fail(p->t, PL_MODEL_MEANING, next_token(p)->place, "\"%s\" has no fields", v->name->text);
    if (v->type != TYPE_STRUCT)
        return r;
    if (!next_is(p, '.'))
        promela_fail(p->t, PL_MODEL_MEANING, at, "\"%s\" is a whole %s: name a field", v->name->text,
                     v->record->name->text);
    take(p);
    struct promela_token name = expect_name(p, "the name of a field");
    enter(p);
    r->field = parse_parts(p, find_field(p, v->record, &name), name.place);
    leave(p);
    return r;
}

static void refuse_special(struct parser *p, const struct promela_token *name)
{
    static const char *const outer[] = {"_nr_pr", "_last", "np_", "_priority"};
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++)
        if (strcmp(name->name->text, outer[i]) == 0)
            outside(p, name->place, name->name->text);
    if (strcmp(name->name->text, "_") == 0)
        promela_fail(p->t, PL_MODEL_MEANING, name->place, "\"_\" can only be assigned to");
}

struct promela_reference *parse_reference(struct parser *p)
{
    struct promela_token name = expect_name(p, "a variable");
    struct promela_symbol *s = name.name->symbol;
    refuse_special(p, &name);
    if (!s)
        promela_fail(p->t, PL_MODEL_MEANING, name.place, "\"%s\" is not declared", name.name->text);
    if (s->kind == SYMBOL_PROCESS && (next_is(p, '[') || next_is(p, '@') || next_is(p, ':')))
        outside(p, name.place, "references into other processes");
    if (s->kind != SYMBOL_VARIABLE)
        promela_fail(p->t, PL_MODEL_MEANING, name.place, "\"%s\" is not a variable", name.name->text);
    return parse_parts(p, s->variable, name.place);
}

/* `( a )` or `( a -> b : c )` behind the opening parenthesis. */
static struct promela_expression *parse_parentheses(struct parser *p, struct promela_place at)
{
    struct promela_expression *e = parse_expression(p);
    if (accept_sign(p, SIGN2('-', '>'))) {
        struct promela_expression *yes = parse_expression(p);
        expect_sign(p, ':', "in a conditional expression");
        struct promela_expression *no = parse_expression(p), *test = e;
        e = new_expression(p, OPERATOR_CONDITIONAL, at);
        set_parts(p, e, test, yes, no);
    }
    expect_sign(p, ')', "behind the expression");
    return e;
}

static struct promela_expression *parse_name(struct parser *p)
{
    struct promela_place at = next_token(p)->place;
    struct promela_symbol *mtype = find_symbol(p, SYMBOL_MTYPE);
    if (next_word(p) == WORD_RUN)
        outside(p, at, "run other than as a statement of init");
    if (accept_word(p, WORD_TRUE) || accept_word(p, WORD_SKIP))
        return make_constant(p, 1, at);
    if (accept_word(p, WORD_FALSE))
        return make_constant(p, 0, at);
    if (mtype) {
        take(p);
        return make_constant(p, mtype->value, at);
    }
    if (strcmp(next_token(p)->name->text, "_pid") == 0) {
        take(p);
        if (p->process)
            p->process->asks_pid = true;
        return new_expression(p, OPERATOR_PID, at);
    }
    if (next_word(p) != WORD_NONE)
        unexpected(p, "an expression");
    return make_use(p, parse_reference(p));
}

static struct promela_expression *parse_unary(struct parser *p)
{
    struct promela_token t = *next_token(p);
    struct promela_expression *e;
    enter(p);
    if (t.kind == TOKEN_NUMBER) {
        take(p);
        e = make_constant(p, t.value, t.place);
    } else if (t.kind == TOKEN_NAME) {
        e = parse_name(p);
    } else if (accept_sign(p, '(')) {
        e = parse_parentheses(p, t.place);
    } else if (token_is(&t, '-') || token_is(&t, '!') || token_is(&t, '~')) {
        take(p);
        e = new_expression(p,
                           t.sign == '-'   ? OPERATOR_NEGATE
                           : t.sign == '!' ? OPERATOR_NOT
                                           : OPERATOR_COMPLEMENT,
                           t.place);
        set_parts(p, e, parse_unary(p), NULL, NULL);
    } else {
        unexpected(p, "an expression");
    }
    leave(p);
    return e;
}

const struct promela_binary *promela_binary_of(const struct promela_token *t)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (token_is(t, binaries[i].sign))
            return &binaries[i];
    return NULL;
}

static struct promela_expression *parse_binary(struct parser *p, int least)
{
    struct promela_expression *left = parse_unary(p);
    for (const struct promela_binary *b; (b = promela_binary_of(next_token(p))) && b->level >= least;) {
        struct promela_place at = take(p).place;
        left = make_binary(p, b->op, left, parse_binary(p, b->level + 1), at);
    }
    return left;
}

struct promela_expression *parse_expression(struct parser *p)
{
    enter(p);
    struct promela_expression *e = parse_binary(p, 1);
    leave(p);
    return e;
}

static bool divide(enum promela_operator op, int64_t a, int64_t b, int64_t *value)
{
    if (b == 0)
        return false;
    if (b == -1)
        *value = op == OPERATOR_DIVIDE ? (int64_t)(0 - (uint64_t)a) : 0;
    else
        *value = op == OPERATOR_DIVIDE ? a / b : a % b;
    return true;
}

bool promela_apply_wide(enum promela_operator op, int64_t a, int64_t b, unsigned bits, int64_t *value)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case OPERATOR_NEGATE: *value = (int64_t)(0 - x); break;
    case OPERATOR_NOT: *value = !a; break;
    case OPERATOR_COMPLEMENT: *value = ~a; break;
    case OPERATOR_OR: *value = a || b; break;
    case OPERATOR_AND: *value = a && b; break;
    case OPERATOR_BIT_OR: *value = a | b; break;
    case OPERATOR_BIT_XOR: *value = a ^ b; break;
    case OPERATOR_BIT_AND: *value = a & b; break;
    case OPERATOR_EQUAL: *value = a == b; break;
    case OPERATOR_UNEQUAL: *value = a != b; break;
    case OPERATOR_GREATER: *value = a > b; break;
    case OPERATOR_LESS: *value = a < b; break;
    case OPERATOR_GREATER_EQUAL: *value = a >= b; break;
    case OPERATOR_LESS_EQUAL: *value = a <= b; break;
    case OPERATOR_SHIFT_LEFT: *value = (int64_t)(x << (y & (bits - 1))); break;
    case OPERATOR_SHIFT_RIGHT: *value = a >> (y & (bits - 1)); break;
    case OPERATOR_ADD: *value = (int64_t)(x + y); break;
    case OPERATOR_SUBTRACT: *value = (int64_t)(x - y); break;
    case OPERATOR_MULTIPLY: *value = (int64_t)(x * y); break;
    default: return divide(op, a, b, value);
    }
    return true;
}

bool promela_apply(enum promela_operator op, int32_t a, int32_t b, int32_t *value)
{
    int64_t wide;
    if (!promela_apply_wide(op, a, b, 32, &wide))
        return false;
    *value = (int32_t)wide;
    return true;
}

bool promela_constant_value(const struct promela_expression *e, int32_t *value)
{
    int32_t a, b = 0;
    if (e->op == OPERATOR_CONSTANT) {
        *value = e->value;
        return true;
    }
    if (e->op == OPERATOR_VARIABLE || e->op == OPERATOR_PID || !promela_constant_value(e->left, &a))
        return false;
    if (e->op == OPERATOR_CONDITIONAL)
        return promela_constant_value(a ? e->right : e->other, value);
    if (e->right && !promela_constant_value(e->right, &b))
        return false;
    return promela_apply(e->op, a, b, value);
}

struct promela_expression *parse_constant(struct parser *p, const char *what)
{
    struct promela_expression *e = parse_expression(p);
    int32_t value;
    if (!promela_constant_value(e, &value))
        promela_fail(p->t, PL_MODEL_MEANING, e->place, "%s has to be a constant", what);
    return make_constant(p, value, e->place);
}

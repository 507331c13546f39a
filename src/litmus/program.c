/* SPDX-License-Identifier: Apache-2.0 */
#include "litmus/program.h"

#include "base/check.h"

static uint32_t add_expression(struct program *p, struct expression x)
{
    vec_push(&p->expressions, x);
    return (uint32_t)p->expressions.len - 1;
}

uint32_t program_constant(struct program *p, int64_t value)
{
    return add_expression(p, (struct expression){.kind = EXPRESSION_CONSTANT, .value = value});
}

uint32_t program_register(struct program *p, uint32_t number)
{
    CHECK(number < PROGRAM_REGISTERS_MAX);
    return add_expression(p, (struct expression){.kind = EXPRESSION_REGISTER, .value = number});
}

uint32_t program_expression(struct program *p, enum expression_kind kind, uint32_t left, uint32_t right)
{
    CHECK(left < p->expressions.len && (kind == EXPRESSION_NOT || right < p->expressions.len));
    return add_expression(p, (struct expression){.kind = kind, .left = left, .right = right});
}

static int64_t apply(enum expression_kind kind, int64_t left, int64_t right)
{
    uint64_t a = (uint64_t)left, b = (uint64_t)right; /* wraps around without being undefined */
    switch (kind) {
    case EXPRESSION_ADD: return (int64_t)(a + b);
    case EXPRESSION_SUB: return (int64_t)(a - b);
    case EXPRESSION_MUL: return (int64_t)(a * b);
    case EXPRESSION_AND: return (int64_t)(a & b);
    case EXPRESSION_OR: return (int64_t)(a | b);
    case EXPRESSION_XOR: return (int64_t)(a ^ b);
    case EXPRESSION_EQUAL: return left == right;
    case EXPRESSION_NOT_EQUAL: return left != right;
    case EXPRESSION_LESS: return left < right;
    case EXPRESSION_LESS_EQUAL: return left <= right;
    case EXPRESSION_LOGICAL_AND: return left && right;
    case EXPRESSION_LOGICAL_OR: return left || right;
    case EXPRESSION_NOT: return !left;
    case EXPRESSION_CONSTANT:
    case EXPRESSION_REGISTER: break;
    }
    CHECK(!"an operator");
    return 0;
}

int64_t program_evaluate(const struct program *p, uint32_t expression, const int64_t *registers)
{
    const struct expression *x = &p->expressions.data[expression];
    if (x->kind == EXPRESSION_CONSTANT)
        return x->value;
    if (x->kind == EXPRESSION_REGISTER)
        return registers[x->value];
    int64_t left = program_evaluate(p, x->left, registers);
    int64_t right = x->kind == EXPRESSION_NOT ? 0 : program_evaluate(p, x->right, registers);
    return apply(x->kind, left, right);
}

void program_free(struct program *p)
{
    vec_free(&p->expressions);
    for (uint32_t t = 0; t < PROGRAM_THREADS_MAX; t++)
        vec_free(&p->threads[t].code);
    *p = (struct program){0};
}

/* Expressions are compared by number: copies of a thread share them. */
static bool is_same_instruction(const struct instruction *a, const struct instruction *b)
{
    return a->kind == b->kind && a->operation == b->operation && a->order == b->order &&
           a->failure_order == b->failure_order && a->weak == b->weak && a->target == b->target &&
           a->expected_register == b->expected_register && a->location == b->location &&
           a->offset == b->offset && a->size == b->size && a->expression == b->expression &&
           a->expected == b->expected && a->destination == b->destination;
}

static bool is_same_code(const struct program_thread *a, const struct program_thread *b)
{
    if (a->code.len != b->code.len)
        return false;
    for (size_t k = 0; k < a->code.len; k++)
        if (!is_same_instruction(&a->code.data[k], &b->code.data[k]))
            return false;
    return true;
}

void program_find_alike(const struct program *p, uint32_t *alike)
{
    for (uint32_t t = 0; t < p->thread_count; t++) {
        uint32_t first = 0;
        while (first < t && !is_same_code(&p->threads[first], &p->threads[t]))
            first++;
        alike[t] = first + 1;
    }
}

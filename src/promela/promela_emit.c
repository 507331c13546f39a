/* SPDX-License-Identifier: Apache-2.0 */
/* Code of expressions and of effects. Addresses are those in the state vector: every process has its own code. */
#include "promela/promela_code.h"
#include "promela/promela_parser.h"

#include <string.h>

/* For whom and for which text code is made. */
struct maker {
    struct promela_system *s;
    const struct promela_process *p;
    uint32_t place;
};

static void make_value(struct maker *m, const struct promela_expression *e);

void promela_emit(struct promela_system *s, enum promela_instruction_kind kind, int32_t a, uint32_t b,
                  uint32_t place)
{
    struct promela_instruction i = {(uint16_t)kind, (uint16_t)b, a};
    vec_push(&s->code, i);
    vec_push(&s->code_places, place);
}

static void put(struct maker *m, enum promela_instruction_kind kind, int32_t a, uint32_t b)
{
    promela_emit(m->s, kind, a, b, m->place);
}

uint32_t promela_width(const struct promela_variable *v)
{
    return v->size / v->count;
}

/* How a use of a variable finds its value. */
struct address {
    const struct promela_variable *leaf;
    uint32_t offset;
    bool is_dynamic; /* an offset is on the stack */
};

static uint32_t offset_of(const struct maker *m, const struct promela_variable *v)
{
    return v->owner ? m->p->offset + m->s->place_width + v->offset : v->offset;
}

static void make_index(struct maker *m, const struct promela_reference *r, struct address *a)
{
    int32_t constant;
    uint32_t width = promela_width(r->variable);
    if (!r->index)
        return;
    if (promela_constant_value(r->index, &constant)) {
        a->offset += (uint32_t)constant * width;
        return;
    }
    make_value(m, r->index);
    put(m, CODE_INDEX, (int32_t)width, r->variable->count);
    if (a->is_dynamic)
        put(m, CODE_OPERATE + OPERATOR_ADD, 0, 0);
    a->is_dynamic = true;
}

static struct address make_address(struct maker *m, const struct promela_reference *r)
{
    struct address a = {.offset = offset_of(m, r->variable)};
    for (; r; r = r->field) {
        make_index(m, r, &a);
        if (r->field)
            a.offset += r->field->variable->offset;
        a.leaf = r->variable;
    }
    return a;
}

static enum promela_instruction_kind load_kind(const struct promela_variable *v)
{
    switch (promela_width(v)) {
    case 1: return CODE_LOAD8;
    case 2: return v->type == TYPE_SHORT ? CODE_LOAD16 : CODE_LOAD_U16;
    default: return CODE_LOAD32;
    }
}

static void make_load(struct maker *m, const struct promela_reference *r)
{
    struct address a = make_address(m, r);
    enum promela_instruction_kind kind = load_kind(a.leaf);
    if (!a.is_dynamic) {
        put(m, kind, (int32_t)a.offset, 0);
        return;
    }
    struct promela_instruction *last = &vec_last(&m->s->code);
    if (kind == CODE_LOAD8 && last->kind == CODE_INDEX && last->a == 1)
        *last = (struct promela_instruction){CODE_LOAD8_INDEXED, last->b, (int32_t)a.offset};
    else
        put(m, kind - CODE_LOAD8 + CODE_LOAD8_AT, (int32_t)a.offset, 0);
}

/* The value is on the stack, below the offset if there is one. */
static void make_store(struct maker *m, const struct promela_reference *r)
{
    const struct promela_reference *end = r;
    while (end->field)
        end = end->field;
    const struct promela_variable *leaf = end->variable;
    if (leaf->type == TYPE_BIT)
        put(m, CODE_MASK, 1, 0);
    if (leaf->type == TYPE_UNSIGNED)
        put(m, CODE_MASK, (int32_t)((1u << leaf->bits) - 1), 0);
    struct address a = make_address(m, r);
    uint32_t width = promela_width(leaf);
    enum promela_instruction_kind kind = width == 1 ? CODE_STORE8 : width == 2 ? CODE_STORE16 : CODE_STORE32;
    put(m, a.is_dynamic ? kind - CODE_STORE8 + CODE_STORE8_AT : kind, (int32_t)a.offset, 0);
}

static uint32_t here(const struct maker *m)
{
    return (uint32_t)m->s->code.len;
}

/* A jump whose target is not known yet; `land` sets it to the next instruction. */
static uint32_t put_jump(struct maker *m, enum promela_instruction_kind kind)
{
    put(m, kind, 0, 0);
    return here(m) - 1;
}

static void land(struct maker *m, uint32_t jump)
{
    m->s->code.data[jump].a = (int32_t)(here(m) - jump);
}

static void make_conditional(struct maker *m, const struct promela_expression *e)
{
    make_value(m, e->left);
    uint32_t to_other = put_jump(m, CODE_JUMP_FALSE);
    make_value(m, e->right);
    uint32_t to_end = put_jump(m, CODE_JUMP);
    land(m, to_other);
    make_value(m, e->other);
    land(m, to_end);
}

static void make_logical(struct maker *m, const struct promela_expression *e)
{
    make_value(m, e->left);
    uint32_t jump = put_jump(m, e->op == OPERATOR_AND ? CODE_JUMP_FALSE_KEEP : CODE_JUMP_TRUE_KEEP);
    make_value(m, e->right);
    put(m, CODE_TRUTH, 0, 0);
    land(m, jump);
}

/* A byte compared with a constant is one instruction. */
static bool make_byte_test(struct maker *m, const struct promela_expression *e)
{
    int32_t constant;
    if ((e->op != OPERATOR_EQUAL && e->op != OPERATOR_UNEQUAL) ||
        !promela_constant_value(e->right, &constant) || constant < 0 || constant > UINT16_MAX)
        return false;
    make_value(m, e->left);
    struct promela_instruction *last = &vec_last(&m->s->code);
    if (last->kind == CODE_LOAD8 && e->left->op == OPERATOR_VARIABLE) {
        last->kind = e->op == OPERATOR_EQUAL ? CODE_EQUAL8 : CODE_UNEQUAL8;
        last->b = (uint16_t)constant;
    } else {
        put(m, CODE_PUSH, constant, 0);
        put(m, CODE_OPERATE + e->op, 0, 0);
    }
    return true;
}

static void make_operation(struct maker *m, const struct promela_expression *e)
{
    if (make_byte_test(m, e))
        return;
    make_value(m, e->left);
    if (e->right)
        make_value(m, e->right);
    put(m, CODE_OPERATE + e->op, 0, 0);
}

static void make_value(struct maker *m, const struct promela_expression *e)
{
    int32_t constant;
    if (promela_constant_value(e, &constant)) {
        put(m, CODE_PUSH, constant, 0);
        return;
    }
    switch (e->op) {
    case OPERATOR_VARIABLE: make_load(m, e->reference); break;
    case OPERATOR_PID: put(m, CODE_PUSH, (int32_t)m->p->number, 0); break;
    case OPERATOR_CONDITIONAL: make_conditional(m, e); break;
    case OPERATOR_AND:
    case OPERATOR_OR: make_logical(m, e); break;
    default: make_operation(m, e);
    }
}

void promela_emit_value(struct promela_system *s, const struct promela_process *p,
                        const struct promela_expression *e, uint32_t place)
{
    struct maker m = {s, p, place};
    make_value(&m, e);
}

uint32_t promela_emit_condition(struct promela_system *s, const struct promela_process *p,
                                const struct promela_expression *e, uint32_t place)
{
    int32_t constant;
    if (promela_constant_value(e, &constant) && constant)
        return NO_CODE;
    uint32_t start = (uint32_t)s->code.len;
    promela_emit_value(s, p, e, place);
    promela_emit(s, CODE_END, 0, 0, place);
    return start;
}

void promela_emit_store(struct promela_system *s, const struct promela_process *p,
                        const struct promela_variable *v, uint32_t element,
                        const struct promela_expression *value, uint32_t place)
{
    struct maker m = {s, p, place};
    struct promela_expression index = {.op = OPERATOR_CONSTANT, .value = (int32_t)element};
    struct promela_reference r = {.variable = (struct promela_variable *)v,
                                  .index = v->is_array ? &index : NULL};
    make_value(&m, value);
    make_store(&m, &r);
}

void promela_emit_parameter(struct promela_system *s, const struct promela_process *p,
                            const struct promela_variable *v, uint32_t place)
{
    struct maker m = {s, p, place};
    struct promela_reference r = {.variable = (struct promela_variable *)v};
    make_store(&m, &r);
}

static void make_assignment(struct maker *m, const struct promela_reference *target,
                            const struct promela_expression *value)
{
    make_value(m, value);
    if (target)
        make_store(m, target);
    else
        put(m, CODE_JUMP_FALSE, 1, 0); /* only takes it from the stack */
}

/* Arguments: the checker puts values there. Here it learns where that is. */
static void make_call(struct maker *m, const struct promela_statement *call)
{
    for (uint32_t i = 0; i < call->argument_count; i++) {
        put(m, CODE_PUSH, 0, 0);
        make_store(m, call->references[i]);
        struct address a = make_address(m, call->references[i]);
        put(m, a.is_dynamic ? CODE_ARGUMENT_AT : CODE_ARGUMENT, (int32_t)a.offset, i);
    }
}

static void make_statement(struct maker *m, const struct promela_statement *st, int32_t selected)
{
    struct promela_expression value = {.op = OPERATOR_CONSTANT, .value = selected};
    switch (st->kind) {
    case STATEMENT_ASSIGN: make_assignment(m, st->references[0], st->expression); break;
    case STATEMENT_SELECT: make_assignment(m, st->references[0], &value); break;
    case STATEMENT_CALL: make_call(m, st); break;
    case STATEMENT_ASSERT:
        make_value(m, st->expression);
        put(m, CODE_ASSERT, 0, 0);
        break;
    case STATEMENT_POINT:
        make_value(m, st->expression);
        put(m, CODE_POINT, st->operation, 0);
        break;
    default: break;
    }
}

static void make_resets(struct maker *m, const struct promela_edge *e)
{
    const struct promela_variable *v = m->p->type->variables;
    for (; v; v = v->next)
        if (e->reset[v->number / 64] >> v->number % 64 & 1)
            put(m, CODE_CLEAR, (int32_t)offset_of(m, v), v->size);
}

void promela_emit_effect(struct promela_system *s, const struct promela_process *p,
                         const struct promela_edge *e)
{
    struct maker m = {s, p, e->place};
    if (e->statement && e->entry == NO_NODE)
        make_statement(&m, e->statement, e->value);
    if (!s->like_spin)
        make_resets(&m, e);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction of inline assembly is to the explorer. */
#include "rt/inline/inline_code.h"

#if defined(__x86_64__)

/* On memory, if the result is there; OPERATION_NONE: not known. */
static const uint8_t operations[] = {
    [KIND_MOVE] = OPERATION_STORE,
    [KIND_SET_IF] = OPERATION_STORE,
    [KIND_EXCHANGE] = OPERATION_EXCHANGE,
    [KIND_ADD] = OPERATION_ADD,
    [KIND_ADD_CARRY] = OPERATION_ADD,
    [KIND_INCREMENT] = OPERATION_ADD,
    [KIND_EXCHANGE_ADD] = OPERATION_ADD,
    [KIND_SUBTRACT] = OPERATION_SUB,
    [KIND_SUBTRACT_CARRY] = OPERATION_SUB,
    [KIND_DECREMENT] = OPERATION_SUB,
    [KIND_AND] = OPERATION_AND,
    [KIND_BIT_CLEAR] = OPERATION_AND,
    [KIND_OR] = OPERATION_OR,
    [KIND_BIT_SET] = OPERATION_OR,
    [KIND_XOR] = OPERATION_XOR,
    [KIND_NOT] = OPERATION_XOR,
    [KIND_BIT_FLIP] = OPERATION_XOR,
    [KIND_NEGATE] = OPERATION_NEGATE,
    [KIND_CAS] = OPERATION_CAS,
    [KIND_CAS_PAIR] = OPERATION_CAS,
    [KIND_SYSTEM] = OPERATION_NONE,
};

static void set_constant(struct inline_meaning *m, uint64_t constant)
{
    m->source = SOURCE_CONSTANT;
    m->constant = constant;
}

/* The operand that is not memory. */
static void take_operand(const struct machine_operand *o, struct inline_meaning *m)
{
    if (o->kind == OPERAND_CONSTANT) {
        set_constant(m, (uint64_t)o->constant);
    } else if (o->kind == OPERAND_REGISTER) {
        m->source = SOURCE_REGISTER;
        m->source_register = o->number;
        m->high_byte = o->high_byte;
    }
}

static void find_source(const struct machine_instruction *i, struct inline_meaning *m)
{
    m->carries = i->kind == KIND_ADD_CARRY || i->kind == KIND_SUBTRACT_CARRY;
    m->bits = i->kind >= KIND_BIT_TEST && i->kind <= KIND_BIT_FLIP;
    switch (i->kind) {
    case KIND_INCREMENT:
    case KIND_DECREMENT: set_constant(m, 1); return;
    case KIND_NOT: set_constant(m, UINT64_MAX); return;
    case KIND_NEGATE: set_constant(m, 0); return;
    case KIND_CAS_PAIR: m->source = SOURCE_PAIR; return;
    case KIND_SET_IF: m->source = SOURCE_CONDITION, m->constant = i->condition; return;
    default: break;
    }
    if (i->operand_count == 2)
        take_operand(&i->operands[i->operands[0].kind == OPERAND_MEMORY], m);
}

/* An access of one word, of which all is known, may be atomic. Others are plain: vectors, and what is written without
 * our knowing what. */
static void find_operation(const struct machine_instruction *i, struct inline_meaning *m)
{
    bool result_in_memory = i->operands[0].kind == OPERAND_MEMORY || i->kind == KIND_EXCHANGE;
    m->action = INLINE_ACCESS;
    find_source(i, m);
    if (i->memory.reads && !i->memory.writes && i->memory.size <= sizeof(uint64_t))
        m->operation = OPERATION_LOAD;
    else if (i->memory.writes && result_in_memory && m->source)
        m->operation = operations[i->kind];
    if (i->locked && (m->operation == OPERATION_NONE || m->operation == OPERATION_LOAD))
        m->action = INLINE_UNKNOWN;
}

struct inline_meaning inline_means(const struct machine_instruction *i)
{
    struct inline_meaning m = {.action = INLINE_QUIET};
    if (i->kind == KIND_SYSTEM || i->flow == FLOW_CALL || i->access == ACCESS_UNKNOWN)
        m.action = INLINE_UNKNOWN;
    else if (i->kind == KIND_FENCE)
        m.action = INLINE_FENCE;
    else if (i->kind == KIND_QUERY)
        m.action = INLINE_QUERY;
    else if (i->access == ACCESS_COPY)
        m.action = INLINE_COPY;
    else if (i->access == ACCESS_OPERAND)
        find_operation(i, &m);
    return m;
}

#endif

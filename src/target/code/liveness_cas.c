/* SPDX-License-Identifier: Apache-2.0 */
/* Which way the code takes after a CAS that has succeeded. gcc is given the answer; clang compares what was found. */
#include "target/code/liveness_state.h"

#include <stdio.h>

static bool is_register(const struct machine_operand *o, unsigned number)
{
    return o->kind == OPERAND_REGISTER && o->number == number && !o->high_byte;
}

static bool is_jumped_to(const struct liveness *a, size_t k)
{
    bool found = false;
    for (size_t n = 0; n < a->count; n++)
        found |= liveness_jumps(a->effects[n].flow) && liveness_target_of(a, n) == k;
    for (size_t n = 0; n < a->tables.len; n++)
        found |= a->tables.data[n] == k;
    return found;
}

/* Does it copy a register to another, at least so many bytes? */
static bool copies_register(const struct machine_instruction *i, unsigned bytes)
{
    const struct machine_operand *to = &i->operands[0], *from = &i->operands[1];
    return i->kind == KIND_MOVE && to->kind == OPERAND_REGISTER && from->kind == OPERAND_REGISTER &&
           to->size >= bytes && !to->high_byte && !from->high_byte;
}

/* The register that holds, before and after the call, what the CAS expects in its second argument: that is a copy of it, or of
 * what it was copied from. */
static unsigned register_expected(const struct liveness *a, size_t cas, unsigned bytes)
{
    uint64_t written = a->effects[cas].kills.registers;
    unsigned same = RSI; /* has the value before the instruction that was looked at last */
    for (size_t k = cas; k > 0 && !is_jumped_to(a, k) && liveness_next_of(a, k - 1) == k; k--) {
        const struct machine_instruction *i = &a->code[k - 1].machine;
        if (i->flow != FLOW_ON)
            break;
        const struct machine_operand *to = &i->operands[0], *from = &i->operands[1];
        bool copies = copies_register(i, bytes);
        if (copies && is_register(from, same) && !(written >> to->number & 1))
            return to->number;
        if (i->writes >> same & 1) {
            if (!copies || !is_register(to, same))
                break;
            same = from->number;
            if (!(written >> same & 1))
                return same;
        }
        written |= i->writes;
    }
    return MACHINE_NO_REGISTER;
}

/* Does the instruction compare what the CAS found with what it expected, so that they are equal if it succeeded? */
static bool compares_with_expected(const struct liveness *a, size_t cas, const struct machine_instruction *i)
{
    unsigned bits = 0;
    sscanf(a->code[cas].callee, "__tsan_atomic%u_compare_exchange_val", &bits);
    unsigned expected = register_expected(a, cas, bits / 8);
    const struct machine_operand *o = i->operands;
    return i->kind == KIND_COMPARE && expected != MACHINE_NO_REGISTER && bits && o[0].size == bits / 8 &&
           o[1].size == bits / 8 &&
           ((is_register(&o[0], RAX) && is_register(&o[1], expected)) ||
            (is_register(&o[0], expected) && is_register(&o[1], RAX)));
}

/* After a CAS, `test %al,%al` or a comparison, and a branch: where does it lead if the CAS succeeded? `count`: not known. */
size_t liveness_way_of_success(const struct liveness *a, size_t cas)
{
    size_t test = liveness_next_of(a, cas), branch = test < a->count ? liveness_next_of(a, test) : a->count;
    if (branch >= a->count)
        return a->count;
    const struct machine_instruction *t = &a->code[test].machine, *b = &a->code[branch].machine;
    bool answers = liveness_expects_by_address(&a->code[cas]);
    bool tests = answers ? t->kind == KIND_TEST && is_register(&t->operands[0], RAX) &&
                               is_register(&t->operands[1], RAX)
                         : compares_with_expected(a, cas, t);
    if (!tests || b->flow != FLOW_BRANCH || (b->condition & ~1u) != CONDITION_EQUAL)
        return a->count;
    bool jumps = (b->condition == CONDITION_EQUAL) != answers;
    return jumps ? liveness_target_of(a, branch) : liveness_next_of(a, branch);
}

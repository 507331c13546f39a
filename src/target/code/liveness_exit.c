/* SPDX-License-Identifier: Apache-2.0 */
/* Where the code goes on with what an access has found: a load, and a CAS that fails, lead to the same place with the value
 * in the same registers and parts of the frame. Only straight code is followed, and branches that are decided by whether
 * the CAS failed or the value is zero, up to the first place that jumps lead to and where nothing else is needed of what
 * was set on the way: a function that was inlined, and returned whether the CAS failed, comes back to one where that is asked. */
#include "target/code/liveness_state.h"

#include <stdio.h>
#include <string.h>

enum { STEPS_MOST = 64, LOOK_BACK = 12 };

/* CONTENT_NOTHING: a call has left it undefined. Code that seems to read it, as a return does that may return two registers,
 * does not. */
enum content { CONTENT_SAME, CONTENT_FOUND, CONTENT_FIXED, CONTENT_NOTHING, CONTENT_OTHER };
enum zero_flag { ZERO_UNKNOWN, ZERO_SET, ZERO_CLEAR };

struct walk {
    const struct liveness *a;
    size_t at;
    unsigned size;                /* bytes of the access */
    uint8_t registers[REGISTERS]; /* enum content */
    uint64_t fixed[REGISTERS];    /* those with CONTENT_FIXED: the address */
    frame_parts found, other;     /* the rest is the same as before the access */
    unsigned expected;            /* the register that holds what the CAS expected, or NO_REGISTER */
    bool answers;                 /* al is zero, mostly because the CAS failed */
    bool something;               /* was found, not zero */
    enum zero_flag zero;
};

static bool leads_away(const struct machine_instruction *i)
{
    return i->flow == FLOW_JUMP || i->flow == FLOW_BRANCH;
}

static bool is_joined(const struct liveness *a, size_t k)
{
    for (size_t i = 0; i < a->tables.len; i++)
        if (a->tables.data[i] == k)
            return true;
    for (size_t i = 0; i < a->count; i++)
        if (a->code[i].machine.target == a->code[k].machine.address && leads_away(&a->code[i].machine))
            return true;
    return false;
}

/* --- where it begins ------------------------------------------------------------------------------- */

/* The register that was copied to rsi before the call, still has its value and keeps it. */
static unsigned find_expected(const struct walk *w, size_t call)
{
    uint64_t written = 0;
    for (size_t k = call; k-- > 0 && call - k <= LOOK_BACK && !is_joined(w->a, k + 1);) {
        const struct machine_instruction *i = &w->a->code[k].machine;
        const struct machine_operand *to = &i->operands[0], *from = &i->operands[1];
        if (i->operand_count == 0 || i->flow != FLOW_ON)
            return MACHINE_NO_REGISTER;
        if (to->kind == OPERAND_REGISTER && to->number == RSI) {
            bool copies = i->kind == KIND_MOVE && from->kind == OPERAND_REGISTER && from->size == w->size;
            bool keeps =
                copies && !(written >> from->number & 1) && w->registers[from->number] == CONTENT_SAME;
            return keeps ? from->number : MACHINE_NO_REGISTER;
        }
        written |= i->writes;
    }
    return MACHINE_NO_REGISTER;
}

/* Aligned, so that each part can hold only one part of the value. */
static frame_parts parts_at(const struct walk *w, int32_t place)
{
    return place < 0 && place % (int32_t)w->size == 0 ? liveness_parts_of(place, w->size, true) : 0;
}

static void set_found(struct walk *w, int32_t place)
{
    w->found |= parts_at(w, place);
    w->other &= ~w->found;
}

/* False: not an access with one result. */
static bool begin(struct walk *w, const struct liveness *a, size_t call, bool something)
{
    const struct code_instruction *i = &a->code[call];
    unsigned bits = 0;
    *w = (struct walk){.a = a, .at = call + 1, .something = something, .expected = MACHINE_NO_REGISTER};
    sscanf(i->callee, "__tsan_atomic%u_", &bits);
    w->size = bits / 8;
    if (w->size != 4 && w->size != 8)
        return false;
    for (unsigned r = 0; r < REGISTERS; r++)
        w->registers[r] = a->effects[call].kills.registers >> r & 1 ? CONTENT_NOTHING : CONTENT_SAME;
    w->registers[RAX] = CONTENT_OTHER;
    if (liveness_expects_by_address(i)) {
        w->answers = true;
        w->other = liveness_parts_of(a->states[call].registers[RSI], w->size, false);
        set_found(w, a->states[call].registers[RSI]);
        return true;
    }
    w->registers[RAX] = CONTENT_FOUND;
    if (strstr(i->callee, "_compare_exchange_val"))
        w->expected = find_expected(w, call);
    else if (!strstr(i->callee, "_load"))
        return false;
    return true;
}

/* --- one step --------------------------------------------------------------------------------------- */

static const struct machine_instruction *current(const struct walk *w)
{
    return &w->a->code[w->at].machine;
}

/* Where in the frame the memory of the instruction is. */
static int32_t current_place(const struct walk *w)
{
    return liveness_place_of(&current(w)->memory, &w->a->states[w->at]);
}

static bool holds_found(const struct walk *w, const struct machine_operand *o)
{
    if (o->kind == OPERAND_REGISTER)
        return w->registers[o->number] == CONTENT_FOUND && o->size == w->size;
    frame_parts parts = o->kind == OPERAND_MEMORY ? parts_at(w, current_place(w)) : 0;
    return parts && (parts & ~w->found) == 0;
}

static void forget_register(struct walk *w, unsigned r)
{
    w->registers[r] = CONTENT_OTHER;
    if (r == w->expected)
        w->expected = MACHINE_NO_REGISTER;
    if (r == RAX)
        w->answers = false;
}

/* False: it writes somewhere that is not followed. */
static bool write_memory(struct walk *w, bool found)
{
    unsigned size = current(w)->memory.size;
    int32_t place = current_place(w);
    if (place >= 0)
        return false;
    frame_parts touched = liveness_parts_of(place, size, false);
    w->found &= ~touched;
    w->other |= touched;
    if (found && size == w->size)
        set_found(w, place);
    return true;
}

static bool write_to(struct walk *w, const struct machine_operand *to, bool found)
{
    if (to->kind != OPERAND_REGISTER)
        return to->kind == OPERAND_MEMORY && write_memory(w, found);
    forget_register(w, to->number);
    if (found && to->size == w->size)
        w->registers[to->number] = CONTENT_FOUND;
    return true;
}

/* A function that was inlined says that it failed. */
static bool walk_move(struct walk *w, const struct machine_instruction *i)
{
    const struct machine_operand *to = &i->operands[0], *from = &i->operands[1];
    if (!write_to(w, to, holds_found(w, from)))
        return false;
    w->answers |= to->kind == OPERAND_REGISTER && to->number == RAX && !to->high_byte &&
                  from->kind == OPERAND_CONSTANT && from->constant == 0;
    return true;
}

static bool walk_address(struct walk *w, const struct machine_instruction *i)
{
    const struct machine_operand *to = &i->operands[0];
    if (!write_to(w, to, false))
        return false;
    if (i->memory.relative && to->size == 8) {
        w->registers[to->number] = CONTENT_FIXED;
        w->fixed[to->number] = (uint64_t)i->memory.distance;
    }
    return true;
}

static bool are_registers(const struct machine_operand *a, const struct machine_operand *b)
{
    return a->kind == OPERAND_REGISTER && b->kind == OPERAND_REGISTER;
}

/* Is what was found compared with zero? */
static bool compares_with_zero(const struct walk *w, const struct machine_instruction *i)
{
    const struct machine_operand *a = &i->operands[0], *b = &i->operands[1];
    if (i->kind == KIND_TEST)
        return are_registers(a, b) && a->number == b->number && holds_found(w, a) && holds_found(w, b);
    return b->kind == OPERAND_CONSTANT && b->constant == 0 && a->size == w->size && holds_found(w, a);
}

/* What is compared with what, if that is known; also after a failed CAS. */
static enum zero_flag compared(const struct walk *w, const struct machine_instruction *i)
{
    const struct machine_operand *a = &i->operands[0], *b = &i->operands[1];
    if (compares_with_zero(w, i))
        return w->something ? ZERO_CLEAR : ZERO_SET;
    if (!are_registers(a, b))
        return ZERO_UNKNOWN;
    if (i->kind == KIND_TEST && w->answers && a->number == RAX && b->number == RAX && a->size == 1 &&
        !a->high_byte && !b->high_byte)
        return ZERO_SET;
    bool both =
        (holds_found(w, a) && b->number == w->expected) || (holds_found(w, b) && a->number == w->expected);
    return i->kind == KIND_COMPARE && both && a->size == w->size ? ZERO_CLEAR : ZERO_UNKNOWN;
}

static bool walk_conditional_move(struct walk *w, const struct machine_instruction *i)
{
    bool if_equal = i->condition == CONDITION_EQUAL;
    if (w->zero == ZERO_UNKNOWN || !(if_equal || i->condition == CONDITION_NOT_EQUAL))
        return write_to(w, &i->operands[0], false);
    return w->zero != (if_equal ? ZERO_SET : ZERO_CLEAR) ||
           write_to(w, &i->operands[0], holds_found(w, &i->operands[1]));
}

/* A hook of a plain access to the frame. Others may find something. */
static bool walk_call(struct walk *w, const struct code_instruction *i)
{
    int32_t place = w->a->states[w->at].registers[RDI];
    if (!liveness_announces(i->callee) || place >= 0)
        return false;
    for (unsigned r = 0; r < REGISTERS; r++)
        if (w->a->effects[w->at].kills.registers >> r & 1) {
            forget_register(w, r);
            w->registers[r] = CONTENT_NOTHING;
        }
    w->zero = ZERO_UNKNOWN;
    return true;
}

/* The next place; `count`: not known. */
static size_t walk_jump(const struct walk *w, const struct machine_instruction *i)
{
    bool if_equal = i->condition == CONDITION_EQUAL;
    if (i->flow == FLOW_JUMP)
        return liveness_find_instruction(w->a, i->target);
    if (w->zero == ZERO_UNKNOWN || !(if_equal || i->condition == CONDITION_NOT_EQUAL))
        return w->a->count;
    return w->zero == (if_equal ? ZERO_SET : ZERO_CLEAR) ? liveness_find_instruction(w->a, i->target)
                                                         : w->at + 1;
}

/* Anything else may change the flags, and what it writes. Vectors are not followed. */
static bool walk_other(struct walk *w, const struct machine_instruction *i)
{
    if (i->kind == KIND_NOTHING)
        return true;
    w->zero = ZERO_UNKNOWN;
    for (unsigned r = 0; r < REGISTERS; r++)
        if (i->writes >> r & 1)
            forget_register(w, r);
    return !(i->writes >> RSP & 1) &&
           (!i->memory.writes || i->access == ACCESS_NONE || write_memory(w, false));
}

static bool step(struct walk *w)
{
    const struct machine_instruction *i = current(w);
    size_t next = w->at + 1;
    bool known = true;
    if (i->writes & MACHINE_VECTORS)
        known = false;
    else if (leads_away(i))
        next = walk_jump(w, i);
    else if (i->flow == FLOW_CALL)
        known = walk_call(w, &w->a->code[w->at]);
    else if (i->kind == KIND_MOVE)
        known = walk_move(w, i);
    else if (i->kind == KIND_ADDRESS)
        known = walk_address(w, i);
    else if (i->kind == KIND_MOVE_IF)
        known = walk_conditional_move(w, i);
    else if (i->kind == KIND_COMPARE || i->kind == KIND_TEST)
        w->zero = compared(w, i);
    else
        known = walk_other(w, i);
    bool ends = next == w->at + 1 && next < w->a->count && w->a->code[next].machine.address != i->next;
    w->at = next;
    return known && !ends && next < w->a->count;
}

/* --- the result -------------------------------------------------------------------------------------- */

/* What is needed where the walk has come to is what was found, an address in the frame or in the
 * program, or as before. Flags are not followed. */
static bool finish(const struct walk *w, struct liveness_exit *exit)
{
    const struct needs *n = &w->a->needs[w->at];
    const int32_t *frame = w->a->states[w->at].registers;
    *exit = (struct liveness_exit){.merge = w->a->code[w->at].machine.address};
    if (n->parts & w->other || n->flags)
        return false;
    exit->found.parts = n->parts & w->found;
    exit->same.parts = n->parts & ~w->found;
    for (unsigned r = 0; r < REGISTERS; r++) {
        uint16_t bit = (uint16_t)(1u << r);
        if (!(n->registers & bit) || (frame[r] != NOT_FRAME && frame[r] != MAYBE_FRAME))
            continue;
        if (w->registers[r] == CONTENT_OTHER)
            return false;
        if (w->registers[r] == CONTENT_NOTHING)
            continue;
        exit->fixed_values[r] = w->fixed[r];
        *(w->registers[r] == CONTENT_FOUND   ? &exit->found.registers
          : w->registers[r] == CONTENT_FIXED ? &exit->fixed
                                             : &exit->same.registers) |= bit;
    }
    return true;
}

/* Copies of what was found may lie between the place where two loads meet and the one where a CAS joins them. */
static bool only_copies(const struct walk *w)
{
    const struct machine_instruction *i = current(w);
    return i->kind == KIND_NOTHING ||
           (i->kind == KIND_MOVE && are_registers(&i->operands[0], &i->operands[1]));
}

bool liveness_follow(const struct liveness *a, size_t call, bool something, struct liveness_exit *exit)
{
    struct walk w;
    bool found = false;
    if (!begin(&w, a, call, something))
        return false;
    for (unsigned k = 0; k < STEPS_MOST; k++) {
        struct liveness_exit place;
        if (w.at >= a->count || !a->reached[w.at])
            break;
        if (is_joined(a, w.at) && finish(&w, &place)) {
            *exit = place;
            found = true;
        }
        if ((found && !only_copies(&w)) || !step(&w))
            break;
    }
    return found;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction. What is read may be said too often, what is overwritten may not. */
#include "target/code/liveness_state.h"

#include "engine/loop/fold.h"

#include <stdio.h>
#include <string.h>

#define BIT(r) ((uint16_t)(1u << (r)))

static const uint16_t CALLEE_SAVED = 1 << RBX | 1 << RBP | 0xf << R12;
static const frame_parts ALL_PARTS = ~(frame_parts)0;

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static bool starts_with(const char *word, const char *start)
{
    return strncmp(word, start, strlen(start)) == 0;
}

/* --- memory -------------------------------------------------------------------------------------- */

frame_parts liveness_parts_of(int64_t offset, unsigned size, bool wholly)
{
    frame_parts parts = 0;
    for (int p = 0; p < FOLD_PARTS; p++) {
        int64_t from = -(int64_t)FOLD_PART * (p + 1), to = from + FOLD_PART;
        bool in = wholly ? offset <= from && to <= offset + size : offset < to && from < offset + size;
        parts |= (frame_parts)in << p;
    }
    return parts;
}

static void use_register(struct effect *e, unsigned r)
{
    if (r < REGISTERS)
        e->uses.registers |= BIT(r);
}

static int32_t held(const struct frame_state *s, unsigned r)
{
    return r < REGISTERS ? s->registers[r] : NOT_FRAME;
}

int32_t liveness_place_of(const struct machine_memory *m, const struct frame_state *s)
{
    int32_t base = held(s, m->base), index = held(s, m->index), offset;
    if (!may_be_frame(base) && !may_be_frame(index))
        return NOT_FRAME;
    if (m->index != MACHINE_NO_REGISTER || !is_frame(base) ||
        __builtin_add_overflow(base, m->distance, &offset) || offset >= MAYBE_FRAME)
        return MAYBE_FRAME;
    return offset;
}

static void use_address(struct effect *e, const struct machine_memory *m)
{
    use_register(e, m->base);
    use_register(e, m->index);
}

static void write_memory(struct effect *e, const struct machine_memory *m, const struct frame_state *s)
{
    int32_t place = liveness_place_of(m, s);
    use_address(e, m);
    if (is_frame(place))
        e->kills.parts |= liveness_parts_of(place, m->size, true);
}

static void read_operand(struct effect *e, const struct machine_instruction *i,
                         const struct machine_operand *o, const struct frame_state *s)
{
    if (o->kind == OPERAND_REGISTER)
        use_register(e, o->number);
    if (o->kind != OPERAND_MEMORY)
        return;
    int32_t place = liveness_place_of(&i->memory, s);
    use_address(e, &i->memory);
    if (is_frame(place))
        e->uses.parts |= liveness_parts_of(place, i->memory.size, false);
    else if (may_be_frame(place))
        e->uses.parts = ALL_PARTS;
}

static void read_operands(struct effect *e, const struct machine_instruction *i, const struct frame_state *s)
{
    for (unsigned k = 0; k < i->operand_count; k++)
        read_operand(e, i, &i->operands[k], s);
}

static bool operand_may_be_frame(const struct machine_operand *o, const struct frame_state *s)
{
    return o->kind == OPERAND_REGISTER && may_be_frame(held(s, o->number));
}

static bool any_may_be_frame(const struct machine_instruction *i, const struct frame_state *s)
{
    for (unsigned k = 0; k < i->operand_count; k++)
        if (operand_may_be_frame(&i->operands[k], s))
            return true;
    return false;
}

/* --- data ---------------------------------------------------------------------------------------- */

/* A register gets a value that does not depend on the one it had, unless it keeps a part of that. */
static void set_register(struct effect *e, const struct machine_operand *o, struct frame_state *s,
                         int32_t value)
{
    if (o->size >= 4) {
        e->kills.registers |= BIT(o->number);
        s->registers[o->number] = o->size == 8 || !may_be_frame(value) ? value : MAYBE_FRAME;
        return;
    }
    use_register(e, o->number);
    if (may_be_frame(value) || may_be_frame(s->registers[o->number]))
        s->registers[o->number] = MAYBE_FRAME;
}

static bool step_move(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    const struct machine_operand *to = &i->operands[0], *from = &i->operands[1];
    bool frame = operand_may_be_frame(from, s);
    read_operand(e, i, from, s);
    if (to->kind == OPERAND_REGISTER) {
        bool whole = i->kind == KIND_MOVE && from->size == 8;
        set_register(e, to, s, !frame ? NOT_FRAME : whole ? s->registers[from->number] : MAYBE_FRAME);
        return true;
    }
    write_memory(e, &i->memory, s);
    return !frame;
}

static bool step_lea(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    use_address(e, &i->memory);
    set_register(e, &i->operands[0], s, liveness_place_of(&i->memory, s));
    return true;
}

/* Zero, whatever the register held. */
static bool makes_zero(const struct machine_instruction *i)
{
    const struct machine_operand *to = &i->operands[0], *from = &i->operands[1];
    return (i->kind == KIND_XOR || i->kind == KIND_SUBTRACT) && to->kind == OPERAND_REGISTER &&
           from->kind == OPERAND_REGISTER && to->number == from->number && to->high_byte == from->high_byte &&
           to->size >= 4;
}

/* add or subtract a constant to an address in the frame; anything else gives no address that is known */
static int32_t computed(const struct machine_instruction *i, const struct frame_state *s)
{
    const struct machine_operand *to = &i->operands[0], *from = &i->operands[1];
    int32_t before = s->registers[to->number], after;
    bool adds = i->kind == KIND_ADD, subtracts = i->kind == KIND_SUBTRACT;
    if (!any_may_be_frame(i, s))
        return NOT_FRAME;
    if (from->kind != OPERAND_CONSTANT || to->size != 8 || !is_frame(before) || !(adds || subtracts))
        return MAYBE_FRAME;
    bool wraps = adds ? __builtin_add_overflow(before, from->constant, &after)
                      : __builtin_sub_overflow(before, from->constant, &after);
    return wraps || after >= MAYBE_FRAME ? MAYBE_FRAME : after;
}

/* What changes its first operand, by that and the others. */
static bool step_compute(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    const struct machine_operand *to = &i->operands[0];
    if (makes_zero(i)) {
        set_register(e, to, s, NOT_FRAME);
        return true;
    }
    read_operands(e, i, s);
    if (to->kind != OPERAND_REGISTER)
        return !any_may_be_frame(i, s);
    s->registers[to->number] = computed(i, s);
    return true;
}

static bool step_compare(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    read_operands(e, i, s);
    return true;
}

/* Registers that are not written down take part. */
static bool step_wide(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    bool frame = may_be_frame(s->registers[RAX]) || may_be_frame(s->registers[RDX]) || any_may_be_frame(i, s);
    read_operands(e, i, s);
    use_register(e, RAX);
    use_register(e, RDX);
    s->registers[RAX] = s->registers[RDX] = frame ? MAYBE_FRAME : NOT_FRAME;
    return true;
}

static bool step_set(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    if (i->operands[0].kind == OPERAND_REGISTER)
        set_register(e, &i->operands[0], s, NOT_FRAME);
    else
        write_memory(e, &i->memory, s);
    return true;
}

static bool has_vector(const struct machine_instruction *i)
{
    for (unsigned k = 0; k < i->operand_count; k++)
        if (i->operands[k].kind == OPERAND_VECTOR)
            return true;
    return false;
}

/* General registers that are not among the operands: searches in strings have a result in rcx. */
static uint64_t hidden_registers(const struct machine_instruction *i)
{
    uint64_t hidden = i->writes & MACHINE_GENERAL;
    for (unsigned k = 0; k < i->operand_count; k++)
        if (i->operands[k].kind == OPERAND_REGISTER)
            hidden &= ~(UINT64_C(1) << i->operands[k].number);
    return hidden;
}

/* Vector registers do not survive calls; addresses do not get into them. */
static bool step_vector(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    read_operands(e, i, s);
    return !hidden_registers(i) && !any_may_be_frame(i, s);
}

/* --- the stack ----------------------------------------------------------------------------------- */

static bool step_push(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    const struct machine_operand *o = &i->operands[0];
    int32_t sp = s->registers[RSP];
    if (i->operand_count != 1 || !is_frame(sp) || operand_may_be_frame(o, s) ||
        (o->kind == OPERAND_REGISTER && o->size != 8))
        return false;
    read_operand(e, i, o, s);
    s->registers[RSP] = sp - 8;
    e->kills.parts |= liveness_parts_of(sp - 8, 8, true);
    return true;
}

static bool step_pop(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    const struct machine_operand *o = &i->operands[0];
    int32_t sp = s->registers[RSP];
    if (i->operand_count != 1 || !is_frame(sp) || o->kind != OPERAND_REGISTER || o->size != 8)
        return false;
    e->uses.parts |= liveness_parts_of(sp, 8, false);
    set_register(e, o, s, NOT_FRAME);
    s->registers[RSP] = sp + 8;
    return true;
}

static bool step_leave(struct frame_state *s, struct effect *e)
{
    int32_t bp = s->registers[RBP];
    if (!is_frame(bp))
        return false;
    use_register(e, RBP);
    e->uses.parts |= liveness_parts_of(bp, 8, false);
    s->registers[RSP] = bp + 8;
    s->registers[RBP] = NOT_FRAME;
    return true;
}

/* --- calls --------------------------------------------------------------------------------------- */

static const uint8_t arguments[] = {RDI, RSI, RDX, RCX, R8, 9, RAX, 10};

static void forget_caller_saved(struct frame_state *s, struct effect *e)
{
    for (unsigned r = 0; r < REGISTERS; r++)
        if (!(CALLEE_SAVED >> r & 1) && r != RSP) {
            s->registers[r] = NOT_FRAME;
            e->kills.registers |= BIT(r);
        }
}

bool liveness_is_atomic_call(const struct code_instruction *i)
{
    return i->machine.flow == FLOW_CALL && starts_with(i->callee, "__tsan_atomic");
}

bool liveness_announces(const char *callee)
{
    static const char *const starts[] = {"__tsan_read",           "__tsan_write",      "__tsan_volatile_read",
                                         "__tsan_volatile_write", "__tsan_unaligned_", NULL};
    for (const char *const *start = starts; *start; start++)
        if (starts_with(callee, *start))
            return !strstr(callee, "range");
    return false;
}

bool liveness_expects_by_address(const struct code_instruction *i)
{
    return strstr(i->callee, "compare_exchange_strong") || strstr(i->callee, "compare_exchange_weak");
}

/* What it expects is in the frame: read, and overwritten perhaps. */
static bool use_expected(const struct code_instruction *i, const struct frame_state *s, struct effect *e)
{
    int32_t place = s->registers[RSI];
    unsigned bits = 0;
    sscanf(i->callee, "__tsan_atomic%u_", &bits);
    if (!is_frame(place) || !bits)
        return false;
    e->uses.parts |= liveness_parts_of(place, bits / 8, false);
    return true;
}

static bool lets_know_frame(const struct frame_state *s, uint16_t allowed)
{
    for (size_t k = 0; k < sizeof arguments; k++)
        if (!(allowed >> arguments[k] & 1) && may_be_frame(s->registers[arguments[k]]))
            return true;
    return false;
}

/* Functions that come back another way than they went, or end what others began. */
bool liveness_is_strange(const char *callee)
{
    static const char *const names[] = {"_Unwind_Resume", "__cxa_begin_catch", "vfork", "getcontext",
                                        "swapcontext",    "makecontext",       NULL};
    return strstr(callee, "setjmp") || is_one_of(callee, names);
}

/* None of these has arguments on the stack. What the sanitizers' checks report ends the execution. */
static bool never_returns(const char *callee)
{
    static const char *const names[] = {"abort", "exit", "_exit", "__assert_fail", "__stack_chk_fail", NULL};
    return is_one_of(callee, names) || starts_with(callee, "__ubsan_handle_");
}

/* How many of `arguments` the function may read. */
static size_t count_arguments(const struct code_instruction *i)
{
    if (strcmp(i->callee, "__tsan_func_exit") == 0)
        return 0;
    if (liveness_announces(i->callee) || strcmp(i->callee, "__tsan_func_entry") == 0)
        return 1;
    if (starts_with(i->callee, "__ubsan_handle_") || starts_with(i->callee, "__plumb_scope_"))
        return 2; /* as the runtime has them */
    if (!liveness_is_atomic_call(i))
        return sizeof arguments;
    return strstr(i->callee, "compare_exchange") ? 5 : strstr(i->callee, "_load") ? 2 : 3;
}

static bool step_call(const struct code_instruction *i, struct frame_state *s, struct effect *e)
{
    bool fine = true, frame_known = false;
    if (liveness_announces(i->callee)) {
        frame_known = lets_know_frame(s, BIT(RDI));
    } else if (starts_with(i->callee, "__plumb_scope_")) {
        frame_known = lets_know_frame(s, BIT(RSI));
    } else if (liveness_is_atomic_call(i)) {
        bool points = liveness_expects_by_address(i);
        frame_known = lets_know_frame(s, points ? BIT(RSI) : 0);
        fine &= !points || use_expected(i, s, e) || !may_be_frame(s->registers[RSI]);
    } else {
        frame_known = lets_know_frame(s, 0);
        if (never_returns(i->callee))
            e->flow = FLOW_END;
        else if (!starts_with(i->callee, "__tsan_func_"))
            e->uses.parts = ALL_PARTS; /* arguments may be there */
    }
    read_operands(e, &i->machine, s); /* where the address of the function is */
    for (size_t k = 0; k < count_arguments(i); k++)
        use_register(e, arguments[k]);
    forget_caller_saved(s, e);
    return fine && !frame_known;
}

/* --- all ----------------------------------------------------------------------------------------- */

static bool step_data(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    if (has_vector(i))
        return step_vector(i, s, e);
    switch (i->kind) {
    case KIND_MOVE:
    case KIND_EXTEND: return step_move(i, s, e);
    case KIND_ADDRESS: return step_lea(i, s, e);
    case KIND_MOVE_IF:
    case KIND_ADD:
    case KIND_ADD_CARRY:
    case KIND_INCREMENT:
    case KIND_SUBTRACT:
    case KIND_SUBTRACT_CARRY:
    case KIND_DECREMENT:
    case KIND_AND:
    case KIND_OR:
    case KIND_XOR:
    case KIND_NOT:
    case KIND_NEGATE:
    case KIND_COMPUTE:
    case KIND_BIT_SET:
    case KIND_BIT_CLEAR:
    case KIND_BIT_FLIP: return step_compute(i, s, e);
    case KIND_BIT_TEST:
    case KIND_COMPARE:
    case KIND_TEST: return step_compare(i, s, e);
    case KIND_WIDE: return step_wide(i, s, e);
    case KIND_SET_IF: return step_set(i, s, e);
    default: return false;
    }
}

/* Can its operands be followed? Not those of unusual registers, of other accesses than of one place, of bits that may lie
 * beside it, and of addresses that registers add to the thread's own. */
static bool is_usual(const struct machine_instruction *i)
{
    const struct machine_memory *m = &i->memory;
    bool bits = i->kind >= KIND_BIT_TEST && i->kind <= KIND_BIT_FLIP && i->access != ACCESS_NONE;
    for (unsigned k = 0; k < i->operand_count; k++)
        if (i->operands[k].kind == OPERAND_OTHER)
            return false;
    return i->kind != KIND_SYSTEM && i->access <= ACCESS_OPERAND && !i->locked && !bits && !m->narrow &&
           !(m->own && (m->base != MACHINE_NO_REGISTER || m->index != MACHINE_NO_REGISTER));
}

static bool step_stack(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    switch (i->kind) {
    case KIND_PUSH: return step_push(i, s, e);
    case KIND_POP: return step_pop(i, s, e);
    case KIND_LEAVE: return step_leave(s, e);
    default: return step_data(i, s, e) && is_frame(s->registers[RSP]);
    }
}

bool liveness_step(const struct code_instruction *i, struct frame_state *state, struct effect *effect)
{
    const struct machine_instruction *m = &i->machine;
    *effect = (struct effect){.flow = m->flow};
    if (m->kind == KIND_NOTHING || m->kind == KIND_FENCE || m->flow == FLOW_END)
        return true;
    if (m->kind != KIND_LEAVE && !is_usual(m))
        return false;
    switch (m->flow) {
    case FLOW_CALL: effect->flow = FLOW_ON; return step_call(i, state, effect);
    case FLOW_BRANCH:
    case FLOW_JUMP: effect->uses.registers = (uint16_t)m->reads; return m->target != 0 && !m->writes;
    case FLOW_RETURN: effect->uses.registers = CALLEE_SAVED; return state->registers[RSP] == 0;
    default: return step_stack(m, state, effect);
    }
}

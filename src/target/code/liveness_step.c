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

/* Stores of vectors may have a mask. */
static void access_memory(struct effect *e, const struct machine_instruction *i, const struct frame_state *s)
{
    const struct machine_memory *m = &i->memory;
    int32_t place = liveness_place_of(m, s);
    if (m->writes && (i->kind == KIND_MOVE || i->kind == KIND_SET_IF) && is_frame(place))
        e->kills.parts |= liveness_parts_of(place, m->size, true);
    if (m->reads && is_frame(place))
        e->uses.parts |= liveness_parts_of(place, m->size, false);
    else if (m->reads && may_be_frame(place))
        e->uses.parts = ALL_PARTS;
}

/* A part of a register that is written leaves the rest as it was. */
static void use_operands(struct effect *e, const struct machine_instruction *i, const struct frame_state *s)
{
    e->uses.registers |= (uint16_t)(i->reads | (i->writes & ~i->kills));
    e->kills.registers |= (uint16_t)i->kills;
    if (i->access == ACCESS_OPERAND)
        access_memory(e, i, s);
}

/* --- data ---------------------------------------------------------------------------------------- */

static uint64_t bit_of(uint8_t number)
{
    return number == MACHINE_NO_REGISTER ? 0 : UINT64_C(1) << number;
}

/* May a value that it takes be an address in the frame? Registers that make the address of memory are no values. */
static bool takes_frame(const struct machine_instruction *i, const struct frame_state *s)
{
    uint64_t values = i->reads & MACHINE_GENERAL & ~bit_of(i->memory.base) & ~bit_of(i->memory.index);
    for (unsigned k = 0; k < i->operand_count; k++)
        if (i->operands[k].kind == OPERAND_REGISTER && i->operands[k].reads)
            values |= bit_of(i->operands[k].number);
    for (unsigned r = 0; r < REGISTERS; r++)
        if (values >> r & 1 && may_be_frame(s->registers[r]))
            return true;
    return false;
}

/* add or subtract a constant to an address in the frame */
static int32_t moved(const struct machine_instruction *i, int32_t before)
{
    int64_t constant = i->operands[1].constant;
    int32_t after;
    bool wraps = i->kind == KIND_ADD ? __builtin_add_overflow(before, constant, &after)
                                     : __builtin_sub_overflow(before, constant, &after);
    return wraps || after >= MAYBE_FRAME ? MAYBE_FRAME : after;
}

/* What the registers hold that it writes. */
static int32_t result_of(const struct machine_instruction *i, const struct frame_state *s)
{
    const struct machine_operand *to = &i->operands[0], *from = &i->operands[1];
    if (i->kind != KIND_ADDRESS && !takes_frame(i, s))
        return NOT_FRAME;
    int32_t value = MAYBE_FRAME;
    if (i->kind == KIND_ADDRESS)
        value = liveness_place_of(&i->memory, s);
    else if (i->kind == KIND_MOVE)
        value = held(s, from->number);
    else if ((i->kind == KIND_ADD || i->kind == KIND_SUBTRACT) && from->kind == OPERAND_CONSTANT &&
             is_frame(held(s, to->number)))
        value = moved(i, held(s, to->number));
    return is_frame(value) && to->size != 8 ? MAYBE_FRAME : value;
}

static bool is_written_wholly(const struct machine_instruction *i, unsigned r)
{
    const struct machine_operand *to = &i->operands[0];
    return i->kills >> r & 1 || (to->kind == OPERAND_REGISTER && to->number == r && to->size >= 4);
}

/* An address in the frame must not get into memory, where others find it, nor into vectors, which are not followed. */
static bool step_data(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    bool frame = takes_frame(i, s), stores = i->access == ACCESS_OPERAND && i->memory.writes;
    int32_t value = result_of(i, s);
    use_operands(e, i, s);
    for (unsigned r = 0; r < REGISTERS; r++)
        if (i->writes >> r & 1)
            s->registers[r] = is_written_wholly(i, r)                                ? value
                              : may_be_frame(value) || may_be_frame(s->registers[r]) ? MAYBE_FRAME
                                                                                     : NOT_FRAME;
    return is_frame(s->registers[RSP]) && !(frame && (stores || i->writes & MACHINE_VECTORS));
}

/* --- the stack ----------------------------------------------------------------------------------- */

static bool step_push(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    const struct machine_operand *o = &i->operands[0];
    int32_t sp = s->registers[RSP];
    bool frame = o->kind == OPERAND_REGISTER && may_be_frame(s->registers[o->number]);
    if (!is_frame(sp) || frame || (o->kind != OPERAND_CONSTANT && o->size != 8))
        return false;
    use_operands(e, i, s);
    s->registers[RSP] = sp - 8;
    e->kills.parts |= liveness_parts_of(sp - 8, 8, true);
    return true;
}

static bool step_pop(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    const struct machine_operand *o = &i->operands[0];
    int32_t sp = s->registers[RSP];
    if (!is_frame(sp) || o->kind != OPERAND_REGISTER || o->size != 8)
        return false;
    e->uses.parts |= liveness_parts_of(sp, 8, false);
    e->kills.registers |= BIT(o->number);
    s->registers[o->number] = NOT_FRAME;
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
    use_operands(e, &i->machine, s); /* where the address of the function is */
    for (size_t k = 0; k < count_arguments(i); k++)
        use_register(e, arguments[k]);
    forget_caller_saved(s, e);
    return fine && !frame_known;
}

/* --- all ----------------------------------------------------------------------------------------- */

/* Can its operands be followed? Not those of unusual registers, of other accesses than of one place, of bits that may lie
 * beside it, and of addresses that registers add to the thread's own. */
static bool is_usual(const struct machine_instruction *i)
{
    const struct machine_memory *m = &i->memory;
    bool bits = i->kind >= KIND_BIT_TEST && i->kind <= KIND_BIT_FLIP && i->access != ACCESS_NONE;
    for (unsigned k = 0; k < i->operand_count; k++)
        if (i->operands[k].kind == OPERAND_OTHER)
            return false;
    return i->kind != KIND_SYSTEM && i->kind != KIND_QUERY && i->access <= ACCESS_OPERAND && !i->locked &&
           !bits && !m->narrow &&
           !(m->own && (m->base != MACHINE_NO_REGISTER || m->index != MACHINE_NO_REGISTER));
}

static bool step_stack(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    switch (i->kind) {
    case KIND_PUSH: return step_push(i, s, e);
    case KIND_POP: return step_pop(i, s, e);
    case KIND_LEAVE: return step_leave(s, e);
    default: return step_data(i, s, e);
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

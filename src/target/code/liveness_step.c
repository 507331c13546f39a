/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction. What is read may be said too often, what is overwritten may not. */
#include "target/code/liveness_state.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { RETURN_ADDRESS = 8 }; /* bytes, at the frame's top */

static const char LEAKS[] = "an address in its frame is passed on";
static const char UNKNOWN[] = "an instruction is not understood";
static const char NO_STACK[] = "the stack pointer is not a constant";

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

/* --- what the caller's registers held -------------------------------------------------------------- */

const uint8_t liveness_saved_order[FOLD_REGISTERS] = {RBX, RBP, R12, 13, 14, R15};

static unsigned saved_index(unsigned r)
{
    unsigned k = 0;
    while (k < FOLD_REGISTERS && liveness_saved_order[k] != r)
        k++;
    return k;
}

/* `size` bytes of the frame are written; `whole`: with all of this register. */
static void note_store(struct frame_state *s, int32_t place, unsigned size, unsigned whole)
{
    unsigned index = saved_index(whole);
    for (unsigned k = 0; k < FOLD_REGISTERS; k++)
        if (s->saved[k] < place + (int32_t)size && place < s->saved[k] + 8)
            s->saved[k] = 0;
    if (index < FOLD_REGISTERS && s->kept >> whole & 1 && size == 8 && place % 8 == 0)
        s->saved[index] = place;
}

/* The register is loaded from there, all of it. */
static void note_restore(struct frame_state *s, unsigned r, int32_t place)
{
    unsigned index = saved_index(r);
    if (index < FOLD_REGISTERS && s->saved[index] && s->saved[index] == place)
        s->kept |= BIT(r);
}

/* What was saved is needed if the register is. */
static void restore(struct frame_state *s, struct effect *e, unsigned r, int32_t place)
{
    note_restore(s, r, place);
    if (!(s->kept >> r & 1))
        return;
    e->restores = (struct needs){.registers = BIT(r), .parts = liveness_parts_of(place, 8, false)};
    e->uses.parts &= ~e->restores.parts;
}

/* --- plain instructions ---------------------------------------------------------------------------- */

/* Stores of vectors may have a mask. */
static void access_memory(struct effect *e, const struct machine_instruction *i, const struct frame_state *s)
{
    const struct machine_memory *m = &i->memory;
    int32_t place = liveness_place_of(m, s);
    e->reads_above |= is_frame(place) && (int64_t)place + m->size > RETURN_ADDRESS;
    if (m->writes && (i->kind == KIND_MOVE || i->kind == KIND_SET_IF) && is_frame(place))
        e->kills.parts |= liveness_parts_of(place, m->size, true);
    if (m->reads && is_frame(place))
        e->uses.parts |= liveness_parts_of(place, m->size, false);
    else if (m->reads && may_be_frame(place))
        e->uses.parts = ALL_PARTS;
}

/* A part of a register that is written leaves the rest as it was. */
void liveness_use_operands(struct effect *e, const struct machine_instruction *i, const struct frame_state *s)
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

/* May what it reads from memory be an address in the frame that was stored there? */
static bool loads_address(const struct machine_instruction *i, const struct frame_state *s)
{
    int32_t place =
        i->access == ACCESS_OPERAND && i->memory.reads ? liveness_place_of(&i->memory, s) : NOT_FRAME;
    if (!is_frame(place))
        return may_be_frame(place) && s->addresses;
    return (liveness_parts_of(place, i->memory.size, false) & s->addresses) != 0;
}

/* Stores an address in the frame to the frame itself, wholly where parts are distinguished. False: not there. */
static bool store_address(const struct machine_instruction *i, int32_t place, struct frame_state *s)
{
    frame_parts parts = is_frame(place) ? liveness_parts_of(place, i->memory.size, true) : 0;
    if (i->kind != KIND_MOVE || i->memory.size != 8 || place % 8 != 0 || !parts)
        return false;
    s->addresses |= parts;
    return true;
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
    if (i->kind != KIND_ADDRESS && loads_address(i, s))
        return MAYBE_FRAME;
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
static const char *step_data(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    bool frame = takes_frame(i, s), stores = i->access == ACCESS_OPERAND && i->memory.writes;
    bool moves = i->kind == KIND_MOVE && i->operands[1].kind == OPERAND_REGISTER;
    bool loads_vector = i->writes & MACHINE_VECTORS && loads_address(i, s);
    int32_t value = result_of(i, s), place = liveness_place_of(&i->memory, s);
    liveness_use_operands(e, i, s);
    e->reads_above |= i->kind == KIND_ADDRESS && is_frame(value) && value >= RETURN_ADDRESS;
    if (stores && is_frame(place) && !frame)
        s->addresses &= ~liveness_parts_of(place, i->memory.size, true);
    if (stores && is_frame(place))
        note_store(s, place, i->memory.size, moves ? i->operands[1].number : MACHINE_NO_REGISTER);
    s->kept &= (uint16_t)~i->writes;
    if (i->kind == KIND_MOVE && i->access == ACCESS_OPERAND && !stores && i->operands[0].size == 8 &&
        i->operands[0].kind == OPERAND_REGISTER && i->memory.size == 8 && is_frame(place))
        restore(s, e, i->operands[0].number, place);
    for (unsigned r = 0; r < REGISTERS; r++)
        if (i->writes >> r & 1)
            s->registers[r] = is_written_wholly(i, r)                                ? value
                              : may_be_frame(value) || may_be_frame(s->registers[r]) ? MAYBE_FRAME
                                                                                     : NOT_FRAME;
    if (!is_frame(s->registers[RSP]))
        return NO_STACK;
    frame |= loads_vector;
    e->leaks = frame && (i->writes & MACHINE_VECTORS || (stores && !store_address(i, place, s)));
    return NULL;
}

/* --- the stack ----------------------------------------------------------------------------------- */

static const char *step_push(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    const struct machine_operand *o = &i->operands[0];
    int32_t sp = s->registers[RSP];
    bool frame = o->kind == OPERAND_REGISTER && may_be_frame(s->registers[o->number]);
    if (frame)
        return LEAKS;
    if (!is_frame(sp) || (o->kind != OPERAND_CONSTANT && o->size != 8))
        return UNKNOWN;
    liveness_use_operands(e, i, s);
    s->registers[RSP] = sp - 8;
    e->kills.parts |= liveness_parts_of(sp - 8, 8, true);
    note_store(s, sp - 8, 8, o->kind == OPERAND_REGISTER ? o->number : MACHINE_NO_REGISTER);
    return NULL;
}

static const char *step_pop(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    const struct machine_operand *o = &i->operands[0];
    int32_t sp = s->registers[RSP];
    if (!is_frame(sp) || o->kind != OPERAND_REGISTER || o->size != 8)
        return UNKNOWN;
    e->restores = (struct needs){.registers = BIT(o->number), .parts = liveness_parts_of(sp, 8, false)};
    e->kills.registers |= BIT(o->number);
    s->registers[o->number] = NOT_FRAME;
    if (liveness_parts_of(sp, 8, false) & s->addresses)
        s->registers[o->number] = MAYBE_FRAME;
    s->kept &= (uint16_t)~BIT(o->number);
    note_restore(s, o->number, sp);
    s->registers[RSP] = sp + 8;
    return NULL;
}

static const char *step_leave(struct frame_state *s, struct effect *e)
{
    int32_t bp = s->registers[RBP];
    if (!is_frame(bp))
        return NO_STACK;
    use_register(e, RBP);
    e->restores = (struct needs){.registers = BIT(RBP), .parts = liveness_parts_of(bp, 8, false)};
    e->kills.registers |= BIT(RBP);
    s->kept &= (uint16_t)~BIT(RBP);
    s->registers[RSP] = bp + 8;
    s->registers[RBP] = NOT_FRAME;
    note_restore(s, RBP, bp);
    return NULL;
}

/* --- jumps --------------------------------------------------------------------------------------- */

static const char *step_jump(const struct code_instruction *i, const struct callees *callees, bool leaves,
                             const struct frame_state *s, struct effect *e)
{
    e->uses.registers = (uint16_t)i->machine.reads;
    if (i->machine.writes)
        return UNKNOWN;
    if (!leaves)
        return NULL;
    e->reads_above = true; /* for all that is known: it may still be the same function */
    if (liveness_lets_know_frame(i, s, 0))
        return LEAKS;
    if (i->machine.flow == FLOW_JUMP && s->registers[RSP] == 0)
        liveness_step_last_call(i, callees, s, e);
    else if (!i->machine.target)
        return "an indirect jump";
    return NULL;
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

static const char *step_stack(const struct machine_instruction *i, struct frame_state *s, struct effect *e)
{
    switch (i->kind) {
    case KIND_PUSH: return step_push(i, s, e);
    case KIND_POP: return step_pop(i, s, e);
    case KIND_LEAVE: return step_leave(s, e);
    default: return step_data(i, s, e);
    }
}

/* What it returns in vectors is not followed: liveness_exit.c keeps away from them. */
static const char *step_return(const struct frame_state *s, struct effect *e)
{
    e->uses.registers = (uint16_t)(liveness_changed_registers(s) | BIT(RAX) | BIT(RDX));
    return s->registers[RSP] == 0 ? NULL : NO_STACK;
}

const char *liveness_step(const struct code_instruction *i, const struct callees *callees, bool leaves,
                          struct frame_state *state, struct effect *effect)
{
    const struct machine_instruction *m = &i->machine;
    *effect = (struct effect){.flow = m->flow};
    if (m->kind == KIND_NOTHING || m->kind == KIND_FENCE || m->flow == FLOW_END)
        return NULL;
    if (m->kind != KIND_LEAVE && !is_usual(m))
        return UNKNOWN;
    switch (m->flow) {
    case FLOW_CALL:
        effect->flow = FLOW_ON;
        liveness_step_call(i, callees, state, effect);
        return NULL;
    case FLOW_BRANCH:
    case FLOW_JUMP: return step_jump(i, callees, leaves, state, effect);
    case FLOW_RETURN: return step_return(state, effect);
    default: return step_stack(m, state, effect);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Where the code goes on with what an access has found: a load, and a CAS that fails, lead to the same place with the value
 * in the same registers and parts of the frame. Only straight code is followed, and branches that are decided by whether
 * the CAS failed or the value is zero, up to the first place that jumps lead to. */
#include "target/code/liveness_state.h"

#include <string.h>

enum { STEPS_MOST = 64, LOOK_BACK = 12 };

enum content { CONTENT_SAME, CONTENT_FOUND, CONTENT_FIXED, CONTENT_OTHER };
enum zero_flag { ZERO_UNKNOWN, ZERO_SET, ZERO_CLEAR };

struct walk {
    const struct liveness *a;
    size_t at;
    unsigned size;                /* bytes of the access */
    uint8_t registers[REGISTERS]; /* enum content */
    uint64_t fixed[REGISTERS];    /* those with CONTENT_FIXED: the address */
    frame_parts found, other;     /* the rest is the same as before the access */
    unsigned expected;            /* the register that holds what the CAS expected, or NO_REGISTER */
    bool tells;                   /* al tells that the CAS failed */
    bool something;               /* was found, not zero */
    enum zero_flag zero;
};

static bool is_joined(const struct liveness *a, size_t k)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->code[i].target == a->code[k].address && a->code[i].mnemonic[0] == 'j')
            return true;
    return false;
}

static bool is(const struct instruction *i, const char *mnemonic)
{
    return strcmp(i->mnemonic, mnemonic) == 0;
}

/* --- where it begins ------------------------------------------------------------------------------- */

/* The register that was copied to rsi before the call, still has its value and keeps it. */
static unsigned find_expected(const struct walk *w, size_t call)
{
    uint16_t written = 0;
    for (size_t k = call; k-- > 0 && call - k <= LOOK_BACK && !is_joined(w->a, k + 1);) {
        const struct instruction *i = &w->a->code[k];
        if (i->operand_count == 0 || is(i, "call") || i->mnemonic[0] == 'j')
            return NO_REGISTER;
        const struct operand *from = &i->operands[0], *last = &i->operands[i->operand_count - 1];
        if (last->kind != OPERAND_REGISTER)
            continue;
        if (last->base == RSI) {
            bool copies = is(i, "mov") && from->kind == OPERAND_REGISTER && from->size == w->size;
            bool keeps = copies && !(written >> from->base & 1) && w->registers[from->base] == CONTENT_SAME;
            return keeps ? from->base : NO_REGISTER;
        }
        written |= (uint16_t)(1u << last->base);
    }
    return NO_REGISTER;
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
    const struct instruction *i = &a->code[call];
    unsigned bits = 0;
    *w = (struct walk){.a = a, .at = call + 1, .something = something, .expected = NO_REGISTER};
    sscanf(i->callee, "__tsan_atomic%u_", &bits);
    w->size = bits / 8;
    if (w->size != 4 && w->size != 8)
        return false;
    for (unsigned r = 0; r < REGISTERS; r++)
        w->registers[r] = a->effects[call].kills.registers >> r & 1 ? CONTENT_OTHER : CONTENT_SAME;
    if (liveness_expects_by_address(i)) {
        w->tells = true;
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

static bool holds_found(const struct walk *w, const struct operand *o)
{
    if (o->kind == OPERAND_REGISTER)
        return w->registers[o->base] == CONTENT_FOUND && o->size == w->size;
    frame_parts parts = parts_at(w, liveness_place_of(o, &w->a->states[w->at]));
    return parts && (parts & ~w->found) == 0;
}

static void forget_register(struct walk *w, unsigned r)
{
    w->registers[r] = CONTENT_OTHER;
    if (r == w->expected)
        w->expected = NO_REGISTER;
    if (r == RAX)
        w->tells = false;
}

/* False: it writes somewhere that is not followed. */
static bool write_to(struct walk *w, const struct operand *to, bool found, unsigned size)
{
    if (to->kind == OPERAND_REGISTER) {
        forget_register(w, to->base);
        if (found && to->size == w->size)
            w->registers[to->base] = CONTENT_FOUND;
        return true;
    }
    int32_t place = liveness_place_of(to, &w->a->states[w->at]);
    if (place >= 0 || size == 0)
        return false;
    frame_parts touched = liveness_parts_of(place, size, false);
    w->found &= ~touched;
    w->other |= touched;
    if (found && size == w->size)
        set_found(w, place);
    return true;
}

static bool walk_address(struct walk *w, const struct instruction *i)
{
    const struct operand *from = &i->operands[0], *to = &i->operands[1];
    if (!write_to(w, to, false, 0))
        return false;
    if (from->relative && to->size == 8 && w->at + 1 < w->a->count) {
        w->registers[to->base] = CONTENT_FIXED;
        w->fixed[to->base] = w->a->code[w->at + 1].address + (uint64_t)(int64_t)from->constant;
    }
    return true;
}

static bool walk_move(struct walk *w, const struct instruction *i)
{
    const struct operand *from = &i->operands[0], *to = &i->operands[1];
    return write_to(w, to, holds_found(w, from), from->kind == OPERAND_REGISTER ? from->size : 0);
}

/* Is what was found compared with zero? */
static bool compares_with_zero(const struct walk *w, const struct instruction *i)
{
    const struct operand *a = &i->operands[0], *b = &i->operands[1];
    if (is(i, "test"))
        return a->kind == OPERAND_REGISTER && b->kind == OPERAND_REGISTER && a->base == b->base &&
               holds_found(w, a) && holds_found(w, b);
    unsigned size = is(i, "cmpl") ? 4 : is(i, "cmpq") ? 8 : b->kind == OPERAND_REGISTER ? b->size : 0;
    return a->kind == OPERAND_CONSTANT && !a->wide_constant && a->constant == 0 && size == w->size &&
           holds_found(w, b);
}

/* What is compared with what, if that is known; also after a failed CAS. */
static enum zero_flag compared(const struct walk *w, const struct instruction *i)
{
    const struct operand *a = &i->operands[0], *b = &i->operands[1];
    if (i->operand_count != 2)
        return ZERO_UNKNOWN;
    if (compares_with_zero(w, i))
        return w->something ? ZERO_CLEAR : ZERO_SET;
    if (a->kind != OPERAND_REGISTER || b->kind != OPERAND_REGISTER)
        return ZERO_UNKNOWN;
    if (is(i, "test") && w->tells && a->base == RAX && b->base == RAX && a->size == 1 && b->size == 1)
        return ZERO_SET;
    bool both =
        (holds_found(w, a) && b->base == w->expected) || (holds_found(w, b) && a->base == w->expected);
    return is(i, "cmp") && both && a->size == w->size && b->size == w->size ? ZERO_CLEAR : ZERO_UNKNOWN;
}

static bool walk_conditional_move(struct walk *w, const struct instruction *i)
{
    const struct operand *to = &i->operands[1];
    bool happens = w->zero == (is(i, "cmove") ? ZERO_SET : ZERO_CLEAR);
    if (w->zero == ZERO_UNKNOWN || !(is(i, "cmove") || is(i, "cmovne")))
        return write_to(w, to, false, 0);
    return !happens || write_to(w, to, holds_found(w, &i->operands[0]), 0);
}

/* A hook of a plain access to the frame. Others may find something. */
static bool walk_call(struct walk *w, const struct instruction *i)
{
    int32_t place = w->a->states[w->at].registers[RDI];
    if (!liveness_announces(i->callee) || place >= 0)
        return false;
    for (unsigned r = 0; r < REGISTERS; r++)
        if (w->a->effects[w->at].kills.registers >> r & 1)
            forget_register(w, r);
    w->zero = ZERO_UNKNOWN;
    return true;
}

/* The next place; `count`: not known. */
static size_t walk_jump(const struct walk *w, const struct instruction *i)
{
    bool taken =
        is(i, "jmp") || (is(i, "je") && w->zero == ZERO_SET) || (is(i, "jne") && w->zero == ZERO_CLEAR);
    bool passed = (is(i, "je") && w->zero == ZERO_CLEAR) || (is(i, "jne") && w->zero == ZERO_SET);
    return taken ? liveness_find_instruction(w->a, i->target) : passed ? w->at + 1 : w->a->count;
}

/* Anything else changes its last operand, and the flags. */
static bool walk_other(struct walk *w, const struct instruction *i)
{
    static const char *const harmless[] = {"nop", "endbr64", "pause", NULL};
    for (const char *const *name = harmless; *name; name++)
        if (is(i, *name))
            return true;
    w->zero = ZERO_UNKNOWN;
    if (i->operand_count == 0 || is(i, "push") || is(i, "pop") || (i->operand_count == 1 && !is(i, "neg")))
        return false; /* may have results that are not written down */
    return write_to(w, &i->operands[i->operand_count - 1], false, 0);
}

static bool step(struct walk *w)
{
    const struct instruction *i = &w->a->code[w->at];
    size_t next = w->at + 1;
    bool known = true;
    if (is(i, "mov") || is(i, "movl") || is(i, "movq"))
        known = walk_move(w, i);
    else if (is(i, "lea"))
        known = walk_address(w, i);
    else if (strncmp(i->mnemonic, "cmov", 4) == 0)
        known = walk_conditional_move(w, i);
    else if (strncmp(i->mnemonic, "cmp", 3) == 0 || is(i, "test"))
        w->zero = compared(w, i);
    else if (is(i, "call"))
        known = walk_call(w, i);
    else if (i->mnemonic[0] == 'j')
        next = walk_jump(w, i);
    else
        known = walk_other(w, i);
    w->at = next;
    return known && next < w->a->count;
}

/* --- the result -------------------------------------------------------------------------------------- */

/* What is needed where the walk has come to is what was found, an address in the frame or in the
 * program, or as before. */
static bool finish(const struct walk *w, struct liveness_exit *exit)
{
    const struct needs *n = &w->a->needs[w->at];
    const int32_t *frame = w->a->states[w->at].registers;
    *exit = (struct liveness_exit){.merge = w->a->code[w->at].address};
    if (n->parts & w->other)
        return false;
    exit->found.parts = n->parts & w->found;
    exit->same.parts = n->parts & ~w->found;
    for (unsigned r = 0; r < REGISTERS; r++) {
        uint16_t bit = (uint16_t)(1u << r);
        if (!(n->registers & bit) || (frame[r] != NOT_FRAME && frame[r] != MAYBE_FRAME))
            continue;
        if (w->registers[r] == CONTENT_OTHER)
            return false;
        exit->fixed_values[r] = w->fixed[r];
        *(w->registers[r] == CONTENT_FOUND   ? &exit->found.registers
          : w->registers[r] == CONTENT_FIXED ? &exit->fixed
                                             : &exit->same.registers) |= bit;
    }
    return true;
}

bool liveness_follow(const struct liveness *a, size_t call, bool something, struct liveness_exit *exit)
{
    struct walk w;
    if (!begin(&w, a, call, something))
        return false;
    for (unsigned k = 0; k < STEPS_MOST; k++) {
        if (w.at >= a->count || !a->reached[w.at])
            return false;
        if (is_joined(a, w.at))
            return finish(&w, exit);
        if (!step(&w))
            return false;
    }
    return false;
}

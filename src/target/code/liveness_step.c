/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction. What is read may be said too often, what is overwritten may not. */
#include "target/code/liveness_state.h"

#include "engine/loop/fold.h"

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

int32_t liveness_place_of(const struct operand *o, const struct frame_state *s)
{
    if (o->kind != OPERAND_MEMORY)
        return NOT_FRAME;
    int32_t base = held(s, o->base), index = held(s, o->index), offset;
    if (!may_be_frame(base) && !may_be_frame(index))
        return NOT_FRAME;
    if (o->index != NO_REGISTER || !is_frame(base) || __builtin_add_overflow(base, o->constant, &offset) ||
        offset >= MAYBE_FRAME)
        return MAYBE_FRAME;
    return offset;
}

static void use_address(struct effect *e, const struct operand *o)
{
    if (o->kind == OPERAND_MEMORY) {
        use_register(e, o->base);
        use_register(e, o->index);
    }
}

/* `size` 0: not known. */
static void read_memory(struct effect *e, const struct operand *o, const struct frame_state *s, unsigned size)
{
    int32_t place = liveness_place_of(o, s);
    use_address(e, o);
    if (is_frame(place) && size)
        e->uses.parts |= liveness_parts_of(place, size, false);
    else if (may_be_frame(place))
        e->uses.parts = ALL_PARTS;
}

static void write_memory(struct effect *e, const struct operand *o, const struct frame_state *s,
                         unsigned size)
{
    int32_t place = liveness_place_of(o, s);
    use_address(e, o);
    if (is_frame(place))
        e->kills.parts |= liveness_parts_of(place, size, true);
}

static void read_operand(struct effect *e, const struct operand *o, const struct frame_state *s,
                         unsigned size)
{
    if (o->kind == OPERAND_REGISTER)
        use_register(e, o->base);
    else
        read_memory(e, o, s, size);
}

static bool operand_may_be_frame(const struct operand *o, const struct frame_state *s)
{
    return o->kind == OPERAND_REGISTER && may_be_frame(held(s, o->base));
}

/* --- data ---------------------------------------------------------------------------------------- */

/* A register gets a value that does not depend on the one it had, unless it keeps a part of that. */
static void set_register(struct effect *e, const struct operand *o, struct frame_state *s, int32_t value)
{
    if (o->size >= 4) {
        e->kills.registers |= BIT(o->base);
        s->registers[o->base] = o->size == 8 || !may_be_frame(value) ? value : MAYBE_FRAME;
        return;
    }
    use_register(e, o->base);
    if (may_be_frame(value) || may_be_frame(s->registers[o->base]))
        s->registers[o->base] = MAYBE_FRAME;
}

static unsigned size_of_suffix(const char *mnemonic)
{
    switch (mnemonic[strlen(mnemonic) - 1]) {
    case 'b': return 1;
    case 'w': return 2;
    case 'l': return 4;
    case 'q': return 8;
    default: return 0;
    }
}

/* mov, movabs, and with extension movzbl, movslq, ... */
static bool step_move(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    const struct operand *from = &i->operands[0], *to = &i->operands[1];
    if (i->operand_count != 2)
        return false;
    bool extends = starts_with(i->mnemonic, "movz") || starts_with(i->mnemonic, "movs");
    unsigned size = to->kind == OPERAND_REGISTER     ? to->size
                    : from->kind == OPERAND_REGISTER ? from->size
                                                     : size_of_suffix(i->mnemonic);
    read_operand(e, from, s, size);
    if (to->kind == OPERAND_REGISTER) {
        bool whole = from->kind == OPERAND_REGISTER && !extends;
        int32_t value =
            operand_may_be_frame(from, s) ? whole ? s->registers[from->base] : MAYBE_FRAME : NOT_FRAME;
        if (whole && from->size < 8 && may_be_frame(value))
            value = MAYBE_FRAME;
        set_register(e, to, s, value);
        return true;
    }
    write_memory(e, to, s, size);
    return !operand_may_be_frame(from, s);
}

static bool step_lea(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    const struct operand *from = &i->operands[0], *to = &i->operands[1];
    if (i->operand_count != 2 || to->kind != OPERAND_REGISTER)
        return false;
    use_address(e, from);
    set_register(e, to, s, liveness_place_of(from, s));
    return true;
}

static bool is_same_register(const struct operand *a, const struct operand *b)
{
    return a->kind == OPERAND_REGISTER && b->kind == OPERAND_REGISTER && a->base == b->base &&
           a->size == b->size;
}

/* add or subtract a constant to an address in the frame; anything else gives no address that is known */
static int32_t computed(const struct instruction *i, const struct frame_state *s)
{
    const struct operand *from = &i->operands[0], *to = &i->operands[1];
    int32_t before = s->registers[to->base], after;
    if (!may_be_frame(before) && !operand_may_be_frame(from, s))
        return NOT_FRAME;
    bool adds = starts_with(i->mnemonic, "add"), subtracts = starts_with(i->mnemonic, "sub");
    if (from->kind != OPERAND_CONSTANT || from->wide_constant || to->size != 8 || !is_frame(before) ||
        !(adds || subtracts))
        return MAYBE_FRAME;
    bool wraps = adds ? __builtin_add_overflow(before, from->constant, &after)
                      : __builtin_sub_overflow(before, from->constant, &after);
    return wraps || after >= MAYBE_FRAME ? MAYBE_FRAME : after;
}

/* What changes its last operand, by that and the others. */
static bool step_compute(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    if (i->operand_count == 0)
        return false;
    const struct operand *from = &i->operands[0], *to = &i->operands[i->operand_count - 1];
    bool clears = starts_with(i->mnemonic, "xor") || starts_with(i->mnemonic, "sub");
    if (i->operand_count == 2 && clears && is_same_register(from, to) && to->size >= 4) {
        set_register(e, to, s, NOT_FRAME);
        return true;
    }
    bool known = true;
    for (uint32_t k = 0; k < i->operand_count; k++) {
        read_operand(e, &i->operands[k], s, 8);
        known &= !operand_may_be_frame(&i->operands[k], s);
    }
    if (to->kind != OPERAND_REGISTER)
        return known;
    if (i->operand_count == 2)
        s->registers[to->base] = computed(i, s);
    else if (!known)
        s->registers[to->base] = MAYBE_FRAME;
    else
        s->registers[to->base] = NOT_FRAME;
    return true;
}

static bool step_compare(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    for (uint32_t k = 0; k < i->operand_count; k++)
        read_operand(e, &i->operands[k], s, 8);
    return true;
}

/* Registers that are not written down take part. */
static bool step_wide(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    bool frame = may_be_frame(s->registers[RAX]) || may_be_frame(s->registers[RDX]);
    for (uint32_t k = 0; k < i->operand_count; k++)
        frame |= operand_may_be_frame(&i->operands[k], s);
    step_compare(i, s, e);
    use_register(e, RAX);
    use_register(e, RDX);
    s->registers[RAX] = s->registers[RDX] = frame ? MAYBE_FRAME : NOT_FRAME;
    return true;
}

static bool step_set(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    const struct operand *to = &i->operands[0];
    if (i->operand_count != 1)
        return false;
    if (to->kind == OPERAND_REGISTER)
        set_register(e, to, s, NOT_FRAME);
    else
        write_memory(e, to, s, 1);
    return true;
}

static bool has_vector(const struct instruction *i)
{
    for (uint32_t k = 0; k < i->operand_count; k++)
        if (i->operands[k].kind == OPERAND_VECTOR)
            return true;
    return false;
}

/* Vector registers do not survive calls; addresses do not get into them. Searches in strings have a result in rcx. */
static bool step_vector(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    if (strstr(i->mnemonic, "str"))
        return false;
    for (uint32_t k = 0; k < i->operand_count; k++) {
        const struct operand *o = &i->operands[k];
        read_operand(e, o, s, 16);
        if (operand_may_be_frame(o, s))
            return false;
    }
    return true;
}

/* --- the stack ----------------------------------------------------------------------------------- */

static bool step_push(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    const struct operand *o = &i->operands[0];
    int32_t sp = s->registers[RSP];
    if (i->operand_count != 1 || !is_frame(sp) || operand_may_be_frame(o, s) ||
        (o->kind == OPERAND_REGISTER && o->size != 8))
        return false;
    read_operand(e, o, s, 8);
    s->registers[RSP] = sp - 8;
    e->kills.parts |= liveness_parts_of(sp - 8, 8, true);
    return true;
}

static bool step_pop(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    const struct operand *o = &i->operands[0];
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

bool liveness_is_atomic_call(const struct instruction *i)
{
    return starts_with(i->mnemonic, "call") && starts_with(i->callee, "__tsan_atomic");
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

bool liveness_expects_by_address(const struct instruction *i)
{
    return strstr(i->callee, "compare_exchange_strong") || strstr(i->callee, "compare_exchange_weak");
}

/* What it expects is in the frame: read, and overwritten perhaps. */
static bool use_expected(const struct instruction *i, const struct frame_state *s, struct effect *e)
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
static size_t count_arguments(const struct instruction *i)
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

static bool step_call(const struct instruction *i, struct frame_state *s, struct effect *e)
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
            e->flow = FLOW_NEVER;
        else if (!starts_with(i->callee, "__tsan_func_"))
            e->uses.parts = ALL_PARTS; /* arguments may be there */
    }
    step_compare(i, s, e); /* where the address of the function is */
    for (size_t k = 0; k < count_arguments(i); k++)
        use_register(e, arguments[k]);
    forget_caller_saved(s, e);
    return fine && !frame_known;
}

/* --- all ----------------------------------------------------------------------------------------- */

/* With or without a letter for the size. */
static bool is_named(const char *mnemonic, const char *const *names)
{
    for (; *names; names++) {
        size_t length = strlen(*names);
        const char *rest = mnemonic + length;
        if (strncmp(mnemonic, *names, length) == 0 && (!*rest || (strchr("bwlq", *rest) && !rest[1])))
            return true;
    }
    return false;
}

static bool step_data(const struct instruction *i, struct frame_state *s, struct effect *e)
{
    static const char *const moves[] = {"mov",   "movabs", "movzb", "movzw", "movsb",
                                        "movsw", "movsl",  "movz",  "movs",  NULL};
    static const char *const computations[] = {"add", "sub", "and", "or",  "xor", "adc",   "sbb",
                                               "shl", "shr", "sar", "rol", "ror", "neg",   "not",
                                               "inc", "dec", "bts", "btr", "btc", "bswap", NULL};
    static const char *const comparisons[] = {"cmp", "test", "bt", NULL};
    static const char *const wide[] = {"mul", "div", "idiv", "cltq", "cqto", "cltd", "cwtl", NULL};
    const char *m = i->mnemonic;
    if (has_vector(i))
        return step_vector(i, s, e);
    if (is_named(m, moves))
        return step_move(i, s, e);
    if (strcmp(m, "lea") == 0)
        return step_lea(i, s, e);
    if (is_named(m, (const char *const[]){"imul", NULL}))
        return i->operand_count == 1 ? step_wide(i, s, e) : step_compute(i, s, e);
    if (is_named(m, computations) || starts_with(m, "cmov"))
        return step_compute(i, s, e);
    if (is_named(m, comparisons))
        return step_compare(i, s, e);
    if (is_named(m, wide))
        return step_wide(i, s, e);
    if (starts_with(m, "set"))
        return step_set(i, s, e);
    return false;
}

static bool step_jump(const struct instruction *i, struct effect *e)
{
    e->flow = strcmp(i->mnemonic, "jmp") == 0 ? FLOW_JUMP : FLOW_BRANCH;
    return i->target != 0;
}

bool liveness_step(const struct instruction *i, struct frame_state *state, struct effect *effect)
{
    static const char *const nothing[] = {"nop", "endbr64", "pause", "mfence", "lfence", "sfence", NULL};
    const char *m = i->mnemonic;
    *effect = (struct effect){.flow = FLOW_ON};
    for (uint32_t k = 0; k < i->operand_count; k++)
        if (i->operands[k].kind == OPERAND_UNKNOWN)
            return false;
    if (is_one_of(m, nothing))
        return true;
    if (strcmp(m, "push") == 0)
        return step_push(i, state, effect);
    if (strcmp(m, "pop") == 0)
        return step_pop(i, state, effect);
    if (strcmp(m, "leave") == 0)
        return step_leave(state, effect);
    if (strcmp(m, "call") == 0)
        return step_call(i, state, effect);
    if (m[0] == 'j')
        return step_jump(i, effect);
    if (strcmp(m, "ret") == 0) {
        effect->flow = FLOW_RETURN;
        effect->uses.registers = CALLEE_SAVED;
        return state->registers[RSP] == 0;
    }
    if (strcmp(m, "ud2") == 0 || strcmp(m, "hlt") == 0) {
        effect->flow = FLOW_NEVER;
        return true;
    }
    return step_data(i, state, effect) && is_frame(state->registers[RSP]);
}

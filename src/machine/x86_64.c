/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64, by Zydis. The library is loaded when it is needed: it stays out of the symbols of the program under test. */
#include "machine/instruction.h"

#if defined(__x86_64__)

#include <Zydis/Zydis.h>
#include <dlfcn.h>

#ifndef PLUMB_ZYDIS /* its file name, by CMake */
#define PLUMB_ZYDIS "libZydis.so"
#endif

const char machine_decoder[] = PLUMB_ZYDIS;

static struct {
    __typeof__(&ZydisDecoderInit) init;
    __typeof__(&ZydisDecoderDecodeFull) full;
    __typeof__(&ZydisMnemonicGetString) name;
    ZydisDecoder decoder;
    bool ready;
} zydis;

bool machine_prepare(void)
{
    if (zydis.ready)
        return true;
    void *library = dlopen(machine_decoder, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    zydis.init = (__typeof__(zydis.init))dlsym(library, "ZydisDecoderInit");
    zydis.full = (__typeof__(zydis.full))dlsym(library, "ZydisDecoderDecodeFull");
    zydis.name = (__typeof__(zydis.name))dlsym(library, "ZydisMnemonicGetString");
    zydis.ready = zydis.init && zydis.full && zydis.name &&
                  ZYAN_SUCCESS(zydis.init(&zydis.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));
    return zydis.ready;
}

struct raw {
    ZydisDecodedInstruction i;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* ------------------------------------------------------------------ registers */

static uint8_t general_register(ZydisRegister r)
{
    if (r >= ZYDIS_REGISTER_RAX && r <= ZYDIS_REGISTER_R15)
        return (uint8_t)(r - ZYDIS_REGISTER_RAX);
    if (r >= ZYDIS_REGISTER_EAX && r <= ZYDIS_REGISTER_R15D)
        return (uint8_t)(r - ZYDIS_REGISTER_EAX);
    if (r >= ZYDIS_REGISTER_AX && r <= ZYDIS_REGISTER_R15W)
        return (uint8_t)(r - ZYDIS_REGISTER_AX);
    if (r >= ZYDIS_REGISTER_AL && r <= ZYDIS_REGISTER_BL)
        return (uint8_t)(r - ZYDIS_REGISTER_AL);
    if (r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH)
        return (uint8_t)(r - ZYDIS_REGISTER_AH);
    if (r >= ZYDIS_REGISTER_SPL && r <= ZYDIS_REGISTER_R15B)
        return (uint8_t)(4 + (r - ZYDIS_REGISTER_SPL));
    return MACHINE_NO_REGISTER;
}

static uint64_t register_bit(ZydisRegister r)
{
    uint8_t general = general_register(r);
    if (general != MACHINE_NO_REGISTER)
        return UINT64_C(1) << general;
    if (r >= ZYDIS_REGISTER_XMM0 && r <= ZYDIS_REGISTER_XMM15)
        return UINT64_C(1) << (MACHINE_VECTOR0 + (r - ZYDIS_REGISTER_XMM0));
    if (r == ZYDIS_REGISTER_NONE || (r >= ZYDIS_REGISTER_FLAGS && r <= ZYDIS_REGISTER_GS) ||
        r == ZYDIS_REGISTER_MXCSR || r == ZYDIS_REGISTER_XCR0)
        return 0;
    return MACHINE_OTHERS;
}

/* Does writing the operand leave nothing of what the register held? */
static bool covers_register(const ZydisDecodedOperand *o)
{
    bool general = general_register(o->reg.value) != MACHINE_NO_REGISTER;
    return o->actions == ZYDIS_OPERAND_ACTION_WRITE && o->size >= (general ? 32 : 128);
}

/* xor and sub of a register with itself: zero, whatever it held. */
static bool makes_zero(const struct raw *r)
{
    switch (r->i.mnemonic) {
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_PXOR:
    case ZYDIS_MNEMONIC_XORPS:
    case ZYDIS_MNEMONIC_XORPD: break;
    default: return false;
    }
    const ZydisDecodedOperand *a = &r->operands[0], *b = &r->operands[1];
    return a->type == ZYDIS_OPERAND_TYPE_REGISTER && b->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           a->reg.value == b->reg.value && a->size >= 32;
}

static void find_registers(const struct raw *r, struct machine_instruction *i)
{
    for (unsigned k = 0; k < r->i.operand_count; k++) {
        const ZydisDecodedOperand *o = &r->operands[k];
        if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
            i->reads |= register_bit(o->mem.base) | register_bit(o->mem.index);
        } else if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
            uint64_t bit = register_bit(o->reg.value);
            if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
                i->reads |= bit;
            if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
                i->writes |= bit;
            if (covers_register(o))
                i->kills |= bit & ~MACHINE_OTHERS;
        }
    }
    if (makes_zero(r)) {
        uint64_t bit = register_bit(r->operands[0].reg.value) & ~MACHINE_OTHERS;
        i->reads &= ~bit;
        i->kills |= bit;
    }
    i->kills &= ~i->reads;
}

static void find_flags(const struct raw *r, struct machine_instruction *i)
{
    const ZydisAccessedFlags *f = r->i.cpu_flags;
    const uint32_t all = ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;
    if (!f)
        return;
    if (f->tested & (all | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF))
        i->reads |= MACHINE_FLAGS;
    if (f->modified | f->set_0 | f->set_1 | f->undefined)
        i->writes |= MACHINE_FLAGS;
    if (!(i->reads & MACHINE_FLAGS) && ((f->modified | f->set_0 | f->set_1 | f->undefined) & all) == all)
        i->kills |= MACHINE_FLAGS;
}

/* ------------------------------------------------------------------ what it is */

/* Those that are not here are known by their category. */
static const uint8_t kinds[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
    [ZYDIS_MNEMONIC_ENDBR64] = KIND_NOTHING,
    [ZYDIS_MNEMONIC_PAUSE] = KIND_NOTHING,
    [ZYDIS_MNEMONIC_LFENCE] = KIND_NOTHING,
    [ZYDIS_MNEMONIC_SFENCE] = KIND_NOTHING,
    [ZYDIS_MNEMONIC_CLFLUSH] = KIND_NOTHING,
    [ZYDIS_MNEMONIC_CLFLUSHOPT] = KIND_NOTHING,
    [ZYDIS_MNEMONIC_CLWB] = KIND_NOTHING,
    [ZYDIS_MNEMONIC_CLDEMOTE] = KIND_NOTHING,
    [ZYDIS_MNEMONIC_MFENCE] = KIND_FENCE,
    [ZYDIS_MNEMONIC_SERIALIZE] = KIND_FENCE,
    [ZYDIS_MNEMONIC_MOV] = KIND_MOVE,
    [ZYDIS_MNEMONIC_MOVNTI] = KIND_MOVE,
    [ZYDIS_MNEMONIC_LEA] = KIND_ADDRESS,
    [ZYDIS_MNEMONIC_ADD] = KIND_ADD,
    [ZYDIS_MNEMONIC_ADC] = KIND_ADD_CARRY,
    [ZYDIS_MNEMONIC_INC] = KIND_INCREMENT,
    [ZYDIS_MNEMONIC_XADD] = KIND_EXCHANGE_ADD,
    [ZYDIS_MNEMONIC_SUB] = KIND_SUBTRACT,
    [ZYDIS_MNEMONIC_SBB] = KIND_SUBTRACT_CARRY,
    [ZYDIS_MNEMONIC_DEC] = KIND_DECREMENT,
    [ZYDIS_MNEMONIC_AND] = KIND_AND,
    [ZYDIS_MNEMONIC_OR] = KIND_OR,
    [ZYDIS_MNEMONIC_XOR] = KIND_XOR,
    [ZYDIS_MNEMONIC_NOT] = KIND_NOT,
    [ZYDIS_MNEMONIC_NEG] = KIND_NEGATE,
    [ZYDIS_MNEMONIC_BT] = KIND_BIT_TEST,
    [ZYDIS_MNEMONIC_BTS] = KIND_BIT_SET,
    [ZYDIS_MNEMONIC_BTR] = KIND_BIT_CLEAR,
    [ZYDIS_MNEMONIC_BTC] = KIND_BIT_FLIP,
    [ZYDIS_MNEMONIC_CMP] = KIND_COMPARE,
    [ZYDIS_MNEMONIC_TEST] = KIND_TEST,
    [ZYDIS_MNEMONIC_XCHG] = KIND_EXCHANGE,
    [ZYDIS_MNEMONIC_CMPXCHG] = KIND_CAS,
    [ZYDIS_MNEMONIC_CMPXCHG8B] = KIND_CAS_PAIR,
    [ZYDIS_MNEMONIC_CMPXCHG16B] = KIND_CAS_PAIR,
    [ZYDIS_MNEMONIC_PUSH] = KIND_PUSH,
    [ZYDIS_MNEMONIC_POP] = KIND_POP,
    [ZYDIS_MNEMONIC_LEAVE] = KIND_LEAVE,
    [ZYDIS_MNEMONIC_RDTSC] = KIND_QUERY,
    [ZYDIS_MNEMONIC_RDTSCP] = KIND_QUERY,
    [ZYDIS_MNEMONIC_RDPMC] = KIND_QUERY,
    [ZYDIS_MNEMONIC_RDRAND] = KIND_QUERY,
    [ZYDIS_MNEMONIC_RDSEED] = KIND_QUERY,
    [ZYDIS_MNEMONIC_RDPID] = KIND_QUERY,
    [ZYDIS_MNEMONIC_CPUID] = KIND_QUERY,
    [ZYDIS_MNEMONIC_XGETBV] = KIND_QUERY,
    [ZYDIS_MNEMONIC_XBEGIN] = KIND_SYSTEM,
    [ZYDIS_MNEMONIC_XEND] = KIND_SYSTEM,
    [ZYDIS_MNEMONIC_XABORT] = KIND_SYSTEM,
    [ZYDIS_MNEMONIC_WRFSBASE] = KIND_SYSTEM,
    [ZYDIS_MNEMONIC_WRGSBASE] = KIND_SYSTEM,
    [ZYDIS_MNEMONIC_MONITOR] = KIND_SYSTEM,
    [ZYDIS_MNEMONIC_MWAIT] = KIND_SYSTEM,
    [ZYDIS_MNEMONIC_UMONITOR] = KIND_SYSTEM,
    [ZYDIS_MNEMONIC_UMWAIT] = KIND_SYSTEM,
};

static enum machine_kind kind_of_category(ZydisInstructionCategory category)
{
    switch (category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH: return KIND_NOTHING;
    case ZYDIS_CATEGORY_SETCC: return KIND_SET_IF;
    case ZYDIS_CATEGORY_CMOV: return KIND_MOVE_IF;
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_INTERRUPT: return KIND_SYSTEM;
    default: return KIND_OTHER;
    }
}

static enum machine_kind kind_of(const struct raw *r)
{
    enum machine_kind kind = kinds[r->i.mnemonic];
    return kind != KIND_OTHER ? kind : kind_of_category(r->i.meta.category);
}

static void find_flow(const struct raw *r, struct machine_instruction *i)
{
    const ZydisDecodedOperand *o = &r->operands[0];
    if (r->i.operand_count && o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && o->imm.is_relative)
        i->target = i->next + (uint64_t)o->imm.value.s;
    switch (r->i.meta.category) {
    case ZYDIS_CATEGORY_COND_BR: i->flow = FLOW_BRANCH; break;
    case ZYDIS_CATEGORY_UNCOND_BR: i->flow = FLOW_JUMP; break;
    case ZYDIS_CATEGORY_CALL: i->flow = FLOW_CALL; break;
    case ZYDIS_CATEGORY_RET: i->flow = FLOW_RETURN; break;
    default: break;
    }
    switch (r->i.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT: i->flow = FLOW_END; break;
    default: break;
    }
    i->short_only = i->flow == FLOW_BRANCH && r->i.opcode >= 0xe0 && r->i.opcode <= 0xe3;
}

/* ------------------------------------------------------------------ operands */

static bool is_vector(ZydisRegister r)
{
    return r >= ZYDIS_REGISTER_XMM0 && r <= ZYDIS_REGISTER_XMM31;
}

static struct machine_operand operand_of(const struct raw *r, const ZydisDecodedOperand *o)
{
    struct machine_operand into = {.size = o->size / 8, .number = MACHINE_NO_REGISTER};
    if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        into.kind = OPERAND_MEMORY;
    } else if (o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        into.kind = OPERAND_CONSTANT;
        into.constant = o->imm.value.s;
    } else if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
        into.number = general_register(o->reg.value);
        into.kind = into.number != MACHINE_NO_REGISTER ? OPERAND_REGISTER
                    : is_vector(o->reg.value)          ? OPERAND_VECTOR
                                                       : OPERAND_OTHER;
        into.high_byte = o->reg.value >= ZYDIS_REGISTER_AH && o->reg.value <= ZYDIS_REGISTER_BH;
        into.reads = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ && !makes_zero(r);
    }
    return into;
}

static bool is_own(const ZydisDecodedOperand *o)
{
    return o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS;
}

static struct machine_memory memory_of(const struct raw *r, const ZydisDecodedOperand *o, uint64_t next)
{
    struct machine_memory m = {.base = general_register(o->mem.base),
                               .index = general_register(o->mem.index),
                               .scale = o->mem.scale,
                               .own = is_own(o),
                               .narrow = r->i.address_width != 64,
                               .relative = o->mem.base == ZYDIS_REGISTER_RIP,
                               .distance_at = r->i.raw.disp.offset,
                               .distance = o->mem.disp.value,
                               .size = o->size / 8,
                               .reads = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ,
                               .writes = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE};
    if (m.relative)
        m.distance += (int64_t)next;
    return m;
}

static void find_operands(const struct raw *r, struct machine_instruction *i)
{
    i->memory.base = i->memory.index = MACHINE_NO_REGISTER;
    for (unsigned k = r->i.operand_count_visible; k-- > 0;) {
        const ZydisDecodedOperand *o = &r->operands[k];
        if (k < MACHINE_OPERANDS)
            i->operands[k] = operand_of(r, o);
        if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
            i->memory = memory_of(r, o, i->next);
    }
    i->operand_count =
        r->i.operand_count_visible < MACHINE_OPERANDS ? r->i.operand_count_visible : MACHINE_OPERANDS;
}

/* ------------------------------------------------------------------ memory */

static bool is_memory(const ZydisDecodedOperand *o)
{
    return o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

/* Vectors of addresses and others. */
static bool is_strange_memory(const ZydisDecodedOperand *o)
{
    return o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.type != ZYDIS_MEMOP_TYPE_MEM &&
           o->mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}

static bool is_hidden(const ZydisDecodedOperand *o)
{
    return o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
}

/* movs, stos and lods; what compares strings sets flags. */
static bool is_copy(const struct raw *r, const struct machine_instruction *i)
{
    return r->i.meta.category == ZYDIS_CATEGORY_STRINGOP && !(i->writes & MACHINE_FLAGS);
}

static void find_copy(const struct raw *r, struct machine_instruction *i)
{
    i->access = r->i.address_width == 64 ? ACCESS_COPY : ACCESS_UNKNOWN;
    i->repeats = r->i.attributes & ZYDIS_ATTRIB_HAS_REP;
    for (unsigned k = 0; k < r->i.operand_count; k++) {
        const ZydisDecodedOperand *o = &r->operands[k];
        if (!is_memory(o))
            continue;
        i->memory.size = o->size / 8;
        i->memory.reads |= o->mem.base == ZYDIS_REGISTER_RSI;
        i->memory.writes |= o->mem.base == ZYDIS_REGISTER_RDI;
        if (is_own(o))
            i->access = ACCESS_UNKNOWN;
    }
}

static void find_access(const struct raw *r, struct machine_instruction *i)
{
    if (i->kind == KIND_NOTHING || i->kind == KIND_ADDRESS)
        return;
    for (unsigned k = 0; k < r->i.operand_count; k++) {
        const ZydisDecodedOperand *o = &r->operands[k];
        if (is_strange_memory(o) || (is_memory(o) && is_hidden(o) && o->mem.base != ZYDIS_REGISTER_RSP)) {
            i->access = ACCESS_UNKNOWN;
            if (is_copy(r, i))
                find_copy(r, i);
            return;
        }
        if (!is_memory(o) || is_hidden(o))
            continue;
        bool usual =
            i->access == ACCESS_NONE && i->memory.size != 0 && i->memory.size <= 64 && !i->memory.narrow;
        i->access = usual ? ACCESS_OPERAND : ACCESS_UNKNOWN;
        i->lock_prefix = r->i.attributes & ZYDIS_ATTRIB_HAS_LOCK;
        i->locked = i->lock_prefix || i->kind == KIND_EXCHANGE;
    }
}

bool machine_decode_at(const void *code, size_t most, uint64_t address, struct machine_instruction *i)
{
    struct raw r;
    *i = (struct machine_instruction){.address = address};
    if (!zydis.ready || !ZYAN_SUCCESS(zydis.full(&zydis.decoder, code, most, &r.i, r.operands)))
        return false;
    i->next = address + r.i.length;
    i->name = zydis.name(r.i.mnemonic);
    i->kind = kind_of(&r);
    i->condition = r.i.opcode & 0xf; /* of jcc, setcc, cmovcc */
    find_registers(&r, i);
    find_flags(&r, i);
    find_flow(&r, i);
    find_operands(&r, i);
    find_access(&r, i);
    return true;
}

#endif

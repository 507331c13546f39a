/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/instruction.h"

#if defined(__x86_64__)

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <string.h>

static struct {
    __typeof__(&ZydisDecoderInit) init;
    __typeof__(&ZydisDecoderDecodeFull) full;
    __typeof__(&ZydisMnemonicGetString) name;
    ZydisDecoder decoder;
    bool ready;
} zydis;

bool decode_prepare(void)
{
    if (zydis.ready)
        return true;
    void *library = dlopen(DECODE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
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
    return DECODE_NO_REGISTER;
}

static uint64_t register_bit(ZydisRegister r)
{
    uint8_t general = general_register(r);
    if (general != DECODE_NO_REGISTER)
        return UINT64_C(1) << general;
    if (r >= ZYDIS_REGISTER_XMM0 && r <= ZYDIS_REGISTER_XMM15)
        return UINT64_C(1) << (DECODE_XMM0 + (r - ZYDIS_REGISTER_XMM0));
    if (r == ZYDIS_REGISTER_NONE || (r >= ZYDIS_REGISTER_FLAGS && r <= ZYDIS_REGISTER_GS) ||
        r == ZYDIS_REGISTER_MXCSR || r == ZYDIS_REGISTER_XCR0)
        return 0;
    return DECODE_OTHERS;
}

/* Does writing the operand leave nothing of what the register held? */
static bool covers_register(const ZydisDecodedOperand *o)
{
    bool general = general_register(o->reg.value) != DECODE_NO_REGISTER;
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

static void find_registers(const struct raw *r, struct decoded *d)
{
    for (unsigned k = 0; k < r->i.operand_count; k++) {
        const ZydisDecodedOperand *o = &r->operands[k];
        if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
            d->reads |= register_bit(o->mem.base) | register_bit(o->mem.index);
        } else if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
            uint64_t bit = register_bit(o->reg.value);
            if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
                d->reads |= bit;
            if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
                d->writes |= bit;
            if (covers_register(o))
                d->kills |= bit & ~DECODE_OTHERS;
        }
    }
    if (makes_zero(r)) {
        uint64_t bit = register_bit(r->operands[0].reg.value) & ~DECODE_OTHERS;
        d->reads &= ~bit;
        d->kills |= bit;
    }
    d->kills &= ~d->reads;
}

static void find_flags(const struct raw *r, struct decoded *d)
{
    const ZydisAccessedFlags *f = r->i.cpu_flags;
    const uint32_t all = ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;
    if (!f)
        return;
    if (f->tested & (all | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF))
        d->reads |= DECODE_FLAGS;
    if (f->modified | f->set_0 | f->set_1 | f->undefined)
        d->writes |= DECODE_FLAGS;
    if (!(d->reads & DECODE_FLAGS) && ((f->modified | f->set_0 | f->set_1 | f->undefined) & all) == all)
        d->kills |= DECODE_FLAGS;
}

/* ------------------------------------------------------------------ where it leads */

static void find_flow(const struct raw *r, struct decoded *d)
{
    const ZydisDecodedOperand *o = &r->operands[0];
    bool known = r->i.operand_count && o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && o->imm.is_relative;
    if (known)
        d->target = d->next + (uint64_t)o->imm.value.s;
    switch (r->i.meta.category) {
    case ZYDIS_CATEGORY_COND_BR: d->flow = FLOW_BRANCH; break;
    case ZYDIS_CATEGORY_UNCOND_BR: d->flow = FLOW_JUMP; break;
    case ZYDIS_CATEGORY_CALL: d->flow = FLOW_CALL; break;
    case ZYDIS_CATEGORY_RET: d->flow = FLOW_RETURN; break;
    default: break;
    }
    switch (r->i.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT: d->flow = FLOW_END; break;
    case ZYDIS_MNEMONIC_LOOP:
    case ZYDIS_MNEMONIC_LOOPE:
    case ZYDIS_MNEMONIC_LOOPNE:
    case ZYDIS_MNEMONIC_JRCXZ:
    case ZYDIS_MNEMONIC_JECXZ: d->near_only = true; break;
    default: break;
    }
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

static struct decode_memory memory_of(const struct raw *r, const ZydisDecodedOperand *o, uint64_t next)
{
    struct decode_memory m = {.base = general_register(o->mem.base),
                              .index = general_register(o->mem.index),
                              .scale = o->mem.scale,
                              .own =
                                  o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS,
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

/* The operation on memory if its first operand is there; NONE: another kind of thing. */
static enum operation operation_of(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVNTI: return OPERATION_STORE;
    case ZYDIS_MNEMONIC_XCHG: return OPERATION_EXCHANGE;
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_ADC:
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_XADD: return OPERATION_ADD;
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_SBB:
    case ZYDIS_MNEMONIC_DEC: return OPERATION_SUB;
    case ZYDIS_MNEMONIC_AND:
    case ZYDIS_MNEMONIC_BTR: return OPERATION_AND;
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_BTS: return OPERATION_OR;
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_NOT:
    case ZYDIS_MNEMONIC_BTC: return OPERATION_XOR;
    case ZYDIS_MNEMONIC_NEG: return OPERATION_NEGATE;
    case ZYDIS_MNEMONIC_CMPXCHG:
    case ZYDIS_MNEMONIC_CMPXCHG8B:
    case ZYDIS_MNEMONIC_CMPXCHG16B: return OPERATION_CAS;
    default: return OPERATION_NONE;
    }
}

/* setcc: the lowest bits of the opcode are the condition. */
static bool is_set(const struct raw *r)
{
    return r->i.opcode_map == ZYDIS_OPCODE_MAP_0F && (r->i.opcode & 0xf0) == 0x90;
}

static void take_operand(const ZydisDecodedOperand *o, struct decoded *d)
{
    if (o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        d->source = SOURCE_CONSTANT;
        d->source_constant = (uint64_t)o->imm.value.s;
    } else if (o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
               general_register(o->reg.value) != DECODE_NO_REGISTER) {
        d->source = SOURCE_REGISTER;
        d->source_register = general_register(o->reg.value);
        d->high_byte = o->reg.value >= ZYDIS_REGISTER_AH && o->reg.value <= ZYDIS_REGISTER_BH;
    }
}

static void find_source(const struct raw *r, unsigned memory_at, struct decoded *d)
{
    switch (r->i.mnemonic) {
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC: d->source = SOURCE_CONSTANT, d->source_constant = 1; return;
    case ZYDIS_MNEMONIC_NOT: d->source = SOURCE_CONSTANT, d->source_constant = UINT64_MAX; return;
    case ZYDIS_MNEMONIC_NEG: d->source = SOURCE_CONSTANT; return;
    case ZYDIS_MNEMONIC_CMPXCHG8B:
    case ZYDIS_MNEMONIC_CMPXCHG16B: d->source = SOURCE_PAIR; return;
    case ZYDIS_MNEMONIC_ADC:
    case ZYDIS_MNEMONIC_SBB: d->carries = true; break;
    case ZYDIS_MNEMONIC_BT:
    case ZYDIS_MNEMONIC_BTS:
    case ZYDIS_MNEMONIC_BTR:
    case ZYDIS_MNEMONIC_BTC: d->bits = true; break;
    default: break;
    }
    if (r->i.operand_count_visible == 2)
        take_operand(&r->operands[memory_at == 0 ? 1 : 0], d);
}

/* An access of one word, of which all is known, may be atomic. Others are plain: vectors, and what is written without
 * our knowing what. */
static void find_operation(const struct raw *r, unsigned memory_at, struct decoded *d)
{
    const struct decode_memory *m = &d->memory;
    d->locked = r->i.attributes & ZYDIS_ATTRIB_HAS_LOCK || r->i.mnemonic == ZYDIS_MNEMONIC_XCHG;
    find_source(r, memory_at, d);
    if (m->reads && !m->writes && m->size <= sizeof(uint64_t)) {
        d->operation = OPERATION_LOAD;
    } else if (is_set(r)) {
        d->operation = OPERATION_STORE;
        d->source = SOURCE_CONDITION;
        d->source_constant = r->i.opcode & 0xf;
    } else if (m->writes && (memory_at == 0 || r->i.mnemonic == ZYDIS_MNEMONIC_XCHG) && d->source) {
        d->operation = operation_of(r->i.mnemonic);
    }
    if (d->locked && (d->operation == OPERATION_NONE || d->operation == OPERATION_LOAD))
        d->action = DECODE_UNKNOWN;
}

static bool is_frame_register(const ZydisDecodedOperand *o)
{
    return o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           (o->reg.value == ZYDIS_REGISTER_RSP || o->reg.value == ZYDIS_REGISTER_RBP);
}

/* The address that it computes, whether it accesses anything there or not. A copy of the stack pointer is an address, too,
 * but for those that make a frame. */
static void find_address(const struct raw *r, struct decoded *d)
{
    d->memory.base = d->memory.index = DECODE_NO_REGISTER;
    for (unsigned k = 0; k < r->i.operand_count_visible; k++)
        if (r->operands[k].type == ZYDIS_OPERAND_TYPE_MEMORY) {
            d->memory = memory_of(r, &r->operands[k], d->next);
            return;
        }
    if (r->i.mnemonic == ZYDIS_MNEMONIC_MOV && is_frame_register(&r->operands[1]) &&
        !is_frame_register(&r->operands[0]))
        d->memory.base = general_register(r->operands[1].reg.value);
}

static bool is_only_hint(const struct raw *r)
{
    switch (r->i.meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH: return true;
    default: break;
    }
    switch (r->i.mnemonic) {
    case ZYDIS_MNEMONIC_CLFLUSH:
    case ZYDIS_MNEMONIC_CLFLUSHOPT:
    case ZYDIS_MNEMONIC_CLWB:
    case ZYDIS_MNEMONIC_CLDEMOTE:
    case ZYDIS_MNEMONIC_LFENCE:
    case ZYDIS_MNEMONIC_SFENCE:
    case ZYDIS_MNEMONIC_PAUSE:
    case ZYDIS_MNEMONIC_LEA: return true;
    default: return false;
    }
}

static bool is_copy(ZydisMnemonic m)
{
    switch (m) {
    case ZYDIS_MNEMONIC_MOVSB:
    case ZYDIS_MNEMONIC_MOVSW:
    case ZYDIS_MNEMONIC_MOVSD: /* or the vector instruction, which has no hidden memory */
    case ZYDIS_MNEMONIC_MOVSQ:
    case ZYDIS_MNEMONIC_STOSB:
    case ZYDIS_MNEMONIC_STOSW:
    case ZYDIS_MNEMONIC_STOSD:
    case ZYDIS_MNEMONIC_STOSQ:
    case ZYDIS_MNEMONIC_LODSB:
    case ZYDIS_MNEMONIC_LODSW:
    case ZYDIS_MNEMONIC_LODSD:
    case ZYDIS_MNEMONIC_LODSQ: return true;
    default: return false;
    }
}

static void find_copy(const struct raw *r, struct decoded *d)
{
    d->action = DECODE_COPY;
    d->repeats = r->i.attributes & ZYDIS_ATTRIB_HAS_REP;
    for (unsigned k = 0; k < r->i.operand_count; k++) {
        const ZydisDecodedOperand *o = &r->operands[k];
        if (!is_memory(o))
            continue;
        d->memory.size = o->size / 8;
        d->memory.own |= o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS;
        d->memory.reads |= o->mem.base == ZYDIS_REGISTER_RSI;
        d->memory.writes |= o->mem.base == ZYDIS_REGISTER_RDI;
    }
    if (r->i.address_width != 64 || d->memory.own)
        d->action = DECODE_UNKNOWN;
}

/* What it does by its name alone. */
static bool find_special(const struct raw *r, struct decoded *d)
{
    switch (r->i.mnemonic) {
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_SERIALIZE: d->action = DECODE_FENCE; return true;
    case ZYDIS_MNEMONIC_RDTSC:
    case ZYDIS_MNEMONIC_RDTSCP:
    case ZYDIS_MNEMONIC_RDRAND:
    case ZYDIS_MNEMONIC_RDSEED:
    case ZYDIS_MNEMONIC_RDPID:
    case ZYDIS_MNEMONIC_CPUID: d->action = DECODE_ANSWERS; return true;
    case ZYDIS_MNEMONIC_XBEGIN:
    case ZYDIS_MNEMONIC_XEND:
    case ZYDIS_MNEMONIC_XABORT:
    case ZYDIS_MNEMONIC_WRFSBASE:
    case ZYDIS_MNEMONIC_WRGSBASE:
    case ZYDIS_MNEMONIC_MONITOR:
    case ZYDIS_MNEMONIC_MWAIT:
    case ZYDIS_MNEMONIC_UMONITOR:
    case ZYDIS_MNEMONIC_UMWAIT: d->action = DECODE_UNKNOWN; return true;
    default: break;
    }
    if (r->i.meta.category == ZYDIS_CATEGORY_SYSCALL || r->i.meta.category == ZYDIS_CATEGORY_CALL ||
        r->i.meta.category == ZYDIS_CATEGORY_INTERRUPT)
        d->action = DECODE_UNKNOWN;
    return d->action == DECODE_UNKNOWN || is_only_hint(r);
}

static bool is_hidden(const ZydisDecodedOperand *o)
{
    return o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
}

static void find_access(const struct raw *r, struct decoded *d)
{
    unsigned found = 0;
    for (unsigned k = 0; k < r->i.operand_count; k++) {
        const ZydisDecodedOperand *o = &r->operands[k];
        if (is_strange_memory(o) || (is_memory(o) && is_hidden(o) && o->mem.base != ZYDIS_REGISTER_RSP)) {
            if (is_copy(r->i.mnemonic))
                find_copy(r, d);
            else
                d->action = DECODE_UNKNOWN;
            return;
        }
        if (!is_memory(o) || is_hidden(o))
            continue;
        if (found++) { /* two at once: not one of ours */
            d->action = DECODE_UNKNOWN;
            return;
        }
        d->action = DECODE_ACCESS;
        find_operation(r, k, d);
        if (d->memory.size == 0 || d->memory.size > 64 || r->i.address_width != 64)
            d->action = DECODE_UNKNOWN;
    }
}

bool decode(const void *address, size_t most, struct decoded *d)
{
    struct raw r;
    *d = (struct decoded){.address = (uint64_t)address};
    if (!zydis.ready || !ZYAN_SUCCESS(zydis.full(&zydis.decoder, address, most, &r.i, r.operands)))
        return false;
    d->next = d->address + r.i.length;
    d->name = zydis.name(r.i.mnemonic);
    find_registers(&r, d);
    find_flags(&r, d);
    find_flow(&r, d);
    find_address(&r, d);
    if (!find_special(&r, d))
        find_access(&r, d);
    return true;
}

#else

bool decode_prepare(void)
{
    return false;
}

bool decode(const void *address, size_t most, struct decoded *d)
{
    (void)address, (void)most, (void)d;
    return false;
}

#endif

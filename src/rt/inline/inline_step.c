/* SPDX-License-Identifier: Apache-2.0 */
/* What instructions of inline assembly mean: loads acquire, stores release, locked instructions are updates that are
 * seq_cst and have a fence on both sides, in rc11; tso and sc need no fences for that. The instruction itself follows when
 * all is announced, and memory holds what it is to find. */
#include "rt/inline/inline_code.h"

#include "graph/model.h"
#if defined(__x86_64__)

#include "base/hash.h"
#include "engine/memory/snapshot.h"
#include "engine/memory/undefined_bits.h"
#include "rt/access/access.h"

#include <string.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };
enum {
    CARRY = 1 << 0,
    PARITY = 1 << 2,
    ZERO = 1 << 6,
    SIGN = 1 << 7,
    DIRECTION = 1 << 10,
    OVERFLOW = 1 << 11
};

/* ------------------------------------------------------------------ operands */

static uint64_t register_of(const struct inline_context *c, uint8_t number)
{
    return number == MACHINE_NO_REGISTER ? 0 : c->registers[number];
}

static uint64_t extend(uint64_t value, unsigned size)
{
    unsigned shift = 64 - 8 * size;
    return (uint64_t)((int64_t)(value << shift) >> shift);
}

static uint64_t address_of(const struct inline_context *c, const struct inline_site *s)
{
    const struct machine_memory *m = &s->code.memory;
    uint64_t a = (uint64_t)m->distance;
    if (!m->relative)
        a += register_of(c, m->base) + register_of(c, m->index) * m->scale;
    if (m->own)
        a += (uint64_t)__builtin_thread_pointer();
    if (s->means.bits && s->means.source == SOURCE_REGISTER) {
        int64_t bit = (int64_t)extend(c->registers[s->means.source_register], m->size);
        a += (uint64_t)(bit >> (m->size == 8 ? 6 : m->size == 4 ? 5 : 4)) * m->size;
    }
    return a;
}

/* As setcc, jcc and cmovcc number them. */
static bool is_true(uint64_t condition, uint64_t flags)
{
    bool sign = flags & SIGN, overflow = flags & OVERFLOW, answer;
    switch (condition >> 1) {
    case 0: answer = overflow; break;
    case 1: answer = flags & CARRY; break;
    case 2: answer = flags & ZERO; break;
    case 3: answer = flags & (CARRY | ZERO); break;
    case 4: answer = sign; break;
    case 5: answer = flags & PARITY; break;
    case 6: answer = sign != overflow; break;
    default: answer = flags & ZERO || sign != overflow; break;
    }
    return answer != (condition & 1);
}

static event_word pair(uint64_t high, uint64_t low, unsigned size)
{
    return size == 8 ? (event_word)(high << 32 | (uint32_t)low) : (event_word)high << 64 | low;
}

static event_word truncate(event_word value, unsigned size)
{
    return size >= sizeof value ? value : value & (((event_word)1 << (8 * size)) - 1);
}

static uint64_t source_of(const struct inline_context *c, const struct inline_meaning *m)
{
    switch (m->source) {
    case SOURCE_CONSTANT: return m->constant;
    case SOURCE_REGISTER: return c->registers[m->source_register] >> (m->high_byte ? 8 : 0);
    case SOURCE_CONDITION: return is_true(m->constant, c->flags);
    default: return 0;
    }
}

static event_word operand_of(const struct inline_context *c, const struct inline_site *s)
{
    const struct inline_meaning *m = &s->means;
    unsigned size = s->code.memory.size;
    if (m->source == SOURCE_PAIR)
        return pair(c->registers[RCX], c->registers[RBX], size);
    uint64_t value = source_of(c, m);
    if (m->bits) {
        value = UINT64_C(1) << (value & (8 * size - 1));
        if (m->operation == OPERATION_AND)
            value = ~value;
    }
    if (m->carries)
        value += c->flags & CARRY;
    return truncate(value, size);
}

static event_word expected_of(const struct inline_context *c, const struct inline_site *s)
{
    unsigned size = s->code.memory.size;
    if (s->means.operation != OPERATION_CAS)
        return 0;
    if (s->means.source == SOURCE_PAIR)
        return pair(c->registers[RDX], c->registers[RAX], size);
    return truncate(c->registers[RAX], size);
}

/* ------------------------------------------------------------------ waiting loops */

static uint64_t hash_others(const struct inline_context *c, const struct inline_site *s, const char *vectors)
{
    uint64_t h = vectors ? hash_bytes(vectors, INLINE_VECTORS) : 1;
    for (unsigned k = 0; k < 16; k++)
        if (s->live >> k & 1)
            h = hash_combine(h, c->registers[k]);
    if (s->live & MACHINE_FLAGS)
        h = hash_combine(h, c->flags & (CARRY | PARITY | ZERO | SIGN | OVERFLOW));
    return h;
}

/* The program's side, as spin_enter keeps it at calls. */
static void keep_registers(const struct inline_context *c, const struct inline_site *s, const char *vectors)
{
    static const uint8_t preserved[] = {RBX, RBP, 12, 13, 14, 15};
    struct spin_entry *e = &spin_watch.current->entry;
    *e = (struct spin_entry){.pc = s->pc, .sp = c->registers[RSP]};
    for (unsigned k = 0; k < sizeof preserved; k++)
        e->registers[k] = c->registers[preserved[k]];
    uint32_t modes[2] = {0};
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(modes[0]), "=m"(modes[1]));
    e->registers[6] = (uint64_t)modes[1] << 32 | modes[0];
    e->others = hash_combine(hash_others(c, s, vectors), s->after);
    e->unsure = s->unsure;
    spin_watch.current->calls++;
}

/* ------------------------------------------------------------------ steps */

static bool has_fences(void)
{
    return engine_graph_mode && model_is(engine.shared->config.memory, MODEL_LANGUAGE);
}

static void fence(const void *pc)
{
    engine_describe_access(OPERATION_NONE, ORDER_SEQ_CST, ORDER_RELAXED, 0, 0);
    engine_step(EVENT_FENCE, 0, 0, pc);
    engine_fence(ORDER_SEQ_CST, pc);
}

static event_word content(uint64_t address, unsigned size)
{
    event_word value = 0;
    real.memcpy(&value, (const void *)address, size);
    return value;
}

/* One step, as far as it is known before the instruction: what it will find, and leave. The explorer has to find
 * memory as the instruction leaves it. */
static event_word take_step(enum event_kind kind, uint64_t address, unsigned size, struct access what,
                            const void *pc)
{
    access_begin(kind, (const volatile void *)address, size, what, pc);
    event_word before = content(address, size);
    if (kind != EVENT_WRITE && engine_is_filling((const void *)address, size))
        engine_check_written(address, size, pc);
    struct operation_effect e = operation_apply(what.operation, size, what.operand, what.expected, before);
    if (e.writes)
        real.memcpy((void *)address, &e.value, size);
    if (what.operation == OPERATION_CAS && !e.writes)
        engine_atomic_inline(EVENT_CAS_FAILED, address, size, what.failure_order, access_low(before),
                             access_low(before), pc);
    else
        engine_atomic_inline(kind, address, size, what.order, access_low(before), access_low(e.value), pc);
    if (e.writes)
        real.memcpy((void *)address, &before, size);
    return before;
}

static void update(const struct inline_context *c, const struct inline_site *s, uint64_t address,
                   const void *pc)
{
    struct access what = {s->means.operation, ORDER_SEQ_CST,     ORDER_SEQ_CST,
                          operand_of(c, s),   expected_of(c, s), false};
    if (has_fences())
        fence(pc);
    take_step(EVENT_UPDATE, address, s->code.memory.size, what, pc);
}

/* Without lock: a load and a store, between which others may write. The instruction finds what the load found. */
static void load_and_store(const struct inline_context *c, const struct inline_site *s, uint64_t address,
                           const void *pc)
{
    unsigned size = s->code.memory.size;
    struct access load = {OPERATION_LOAD, ORDER_ACQUIRE, ORDER_RELAXED, 0, 0, false};
    event_word found = take_step(EVENT_READ, address, size, load, pc);
    struct operation_effect e =
        operation_apply(s->means.operation, size, operand_of(c, s), expected_of(c, s), found);
    if (!e.writes)
        return;
    struct access store = {OPERATION_STORE, ORDER_RELEASE, ORDER_RELAXED, e.value, 0, false};
    take_step(EVENT_WRITE, address, size, store, pc);
    real.memcpy((void *)address, &found, size);
}

static void plain(const struct inline_context *c, const struct machine_instruction *d, uint64_t address,
                  const void *pc)
{
    frames_check_own(address, d->memory.size, c->registers[RSP], pc);
    if (d->memory.reads)
        engine_plain(address, d->memory.size, false, pc);
    if (d->memory.writes)
        engine_plain(address, d->memory.size, true, pc);
}

/* An update of the thread's own stack that changes nothing is how some spell a fence. */
static bool is_only_fence(const struct inline_site *s, uint64_t address)
{
    const struct inline_meaning *m = &s->means;
    return s->code.locked && m->source == SOURCE_CONSTANT && !m->bits && !m->carries && m->constant == 0 &&
           (m->operation == OPERATION_ADD || m->operation == OPERATION_SUB || m->operation == OPERATION_OR ||
            m->operation == OPERATION_XOR) &&
           engine_is_own_stack(address);
}

static void access_memory(const struct inline_context *c, const struct inline_site *s, const char *vectors)
{
    const struct machine_instruction *d = &s->code;
    const void *pc = (const void *)s->pc;
    uint64_t address = address_of(c, s);
    unsigned size = d->memory.size;
    if (d->memory.writes)
        undefined_write(address, size);
    if (s->private || is_only_fence(s, address)) {
        if (d->locked)
            fence(pc);
        return;
    }
    if (s->compiled || s->means.operation == OPERATION_NONE || d->memory.own || address % size != 0) {
        if (d->locked)
            engine_give_up(pc, "inline assembly: lock %s of memory that is not aligned or the thread's own",
                           d->name);
        plain(c, d, address, pc);
        return;
    }
    keep_registers(c, s, vectors);
    if (d->locked) {
        update(c, s, address, pc);
    } else if (!d->memory.writes) {
        struct access what = {OPERATION_LOAD, ORDER_ACQUIRE, ORDER_RELAXED, 0, 0, false};
        take_step(EVENT_READ, address, size, what, pc);
    } else if (s->means.operation == OPERATION_STORE) {
        struct access what = {OPERATION_STORE, ORDER_RELEASE, ORDER_RELAXED, operand_of(c, s), 0, false};
        take_step(EVENT_WRITE, address, size, what, pc);
    } else {
        load_and_store(c, s, address, pc);
    }
}

static void copy_memory(const struct inline_context *c, const struct inline_site *s)
{
    const struct machine_instruction *d = &s->code;
    const void *pc = (const void *)s->pc;
    uint64_t size = d->memory.size * (d->repeats ? c->registers[RCX] : 1);
    if (c->flags & DIRECTION)
        engine_give_up(pc, "inline assembly: %s downwards", d->name);
    if (size && d->memory.reads)
        engine_plain(c->registers[RSI], size, false, pc);
    if (size && d->memory.writes)
        engine_plain(c->registers[RDI], size, true, pc);
}

/* The same program may do another thing the next time: the verdict names the instruction. */
static void note_answer(const struct inline_site *s)
{
    engine_note_effect();
    engine_keep_answer(s->code.name, s->pc, false);
}

void inline_step(struct inline_context *c, const struct inline_site *s, const char *vectors)
{
    if (!engine_active)
        return;
    const void *pc = (const void *)s->pc;
    if (s->after) { /* at the same place, but the thread has got further */
        keep_registers(c, s, vectors);
        if (has_fences())
            fence(pc);
        return;
    }
    switch (s->means.action) {
    case INLINE_FENCE: fence(pc); return;
    case INLINE_ACCESS: access_memory(c, s, vectors); return;
    case INLINE_COPY: copy_memory(c, s); return;
    case INLINE_QUERY: note_answer(s); return;
    case INLINE_UNKNOWN:
        engine_give_up(pc, "%s: %s",
                       s->compiled ? "an instruction that the compiler does not announce" : "inline assembly",
                       s->code.name);
        return;
    case INLINE_QUIET: return;
    }
}

#endif

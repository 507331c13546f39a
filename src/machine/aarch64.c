/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64: instructions have four bytes each, and what is asked of them here, flow of control and accesses of memory, is in
 * fixed bits of these; no library is needed. Registers are not distinguished: all are read, none is overwritten for certain. */
#include "machine/instruction.h"

#if defined(__aarch64__)

#include <string.h>

const char machine_decoder[] = "";

bool machine_prepare(void)
{
    return true;
}

static uint32_t field(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

/* A distance in words. */
static uint64_t relative(uint64_t address, uint32_t word, unsigned high, unsigned low)
{
    unsigned shift = 31 - high;
    return address + (uint64_t)((int64_t)((int32_t)(word << shift) >> (shift + low)) * 4);
}

/* ------------------------------------------------------------------ branches, barriers, the system */

static void read_indirect(uint32_t word, struct machine_instruction *i)
{
    static const enum machine_flow flows[] = {FLOW_JUMP, FLOW_CALL, FLOW_RETURN, FLOW_END};
    i->flow = flows[field(word, 22, 21)];
}

/* Barriers that order stores with loads are fences; hints have no effect. */
static enum machine_kind kind_of_system(uint32_t word)
{
    if (field(word, 31, 12) == 0xd5032)
        return KIND_NOTHING;
    if (field(word, 31, 12) == 0xd5033)
        return field(word, 7, 5) == 4 || field(word, 7, 5) == 5 ? KIND_FENCE : KIND_NOTHING;
    return field(word, 31, 20) == 0xd53 ? KIND_QUERY : KIND_SYSTEM;
}

static void read_branch(uint32_t word, struct machine_instruction *i)
{
    if (field(word, 30, 26) == 5) {
        i->flow = word >> 31 ? FLOW_CALL : FLOW_JUMP;
        i->target = relative(i->address, word, 25, 0);
    } else if (field(word, 30, 25) == 0x1a || field(word, 31, 25) == 0x2a) { /* cbz, cbnz, b.cond */
        i->flow = FLOW_BRANCH;
        i->target = relative(i->address, word, 23, 5);
    } else if (field(word, 30, 25) == 0x1b) { /* tbz, tbnz */
        i->flow = FLOW_BRANCH;
        i->target = relative(i->address, word, 18, 5);
    } else if (field(word, 31, 25) == 0x6b) {
        read_indirect(word, i);
    } else {
        i->kind = kind_of_system(word);
    }
}

/* ------------------------------------------------------------------ memory */

static bool is_exclusive(uint32_t word) /* or acquires, releases, compares and swaps */
{
    return field(word, 29, 24) == 0x08;
}

/* Loads that compute, but for ldapr. */
static bool is_computing(uint32_t word)
{
    return field(word, 29, 24) == 0x38 && field(word, 21, 21) && field(word, 11, 10) == 0;
}

static bool is_update(uint32_t word)
{
    bool swaps =
        is_exclusive(word) && field(word, 21, 21) && (field(word, 23, 23) || field(word, 31, 30) < 2);
    return swaps || (is_computing(word) && field(word, 15, 12) != 0xc);
}

static const char *name_of_atomic(uint32_t word)
{
    static const char *const pairs[] = {"stxr", "stlxr", "ldxr", "ldaxr"};
    static const char *const updates[] = {"ldadd",  "ldclr",  "ldeor",  "ldset",
                                          "ldsmax", "ldsmin", "ldumax", "ldumin"};
    if (!is_update(word))
        return pairs[field(word, 22, 22) * 2 + field(word, 15, 15)];
    return is_exclusive(word) ? "cas" : field(word, 15, 15) ? "swp" : updates[field(word, 14, 12)];
}

static bool is_literal(uint32_t word)
{
    return field(word, 29, 27) == 3 && !field(word, 24, 24);
}

/* ldr, str and their kin with one register, of which two bits say what they do. */
static bool has_opcode_pair(uint32_t word)
{
    return field(word, 29, 27) == 7 && !is_computing(word);
}

static bool is_prefetch(uint32_t word)
{
    bool vector = field(word, 26, 26);
    return !vector && field(word, 31, 30) == 3 &&
           (is_literal(word) || (has_opcode_pair(word) && field(word, 23, 22) == 2));
}

static bool reads_memory(uint32_t word)
{
    if (is_computing(word) || is_update(word) || is_literal(word))
        return true;
    return has_opcode_pair(word) && !field(word, 26, 26) ? field(word, 23, 22) != 0 : field(word, 22, 22);
}

static void read_access(uint32_t word, struct machine_instruction *i)
{
    struct machine_memory *m = &i->memory;
    if (is_prefetch(word)) {
        i->kind = KIND_NOTHING;
        return;
    }
    i->access = ACCESS_OPERAND;
    i->locked = is_update(word) || (is_exclusive(word) && !field(word, 23, 23));
    i->name = i->locked ? name_of_atomic(word) : "";
    m->reads = reads_memory(word);
    m->writes = !m->reads || is_update(word);
    m->relative = is_literal(word);
    if (m->relative)
        m->distance = (int64_t)relative(i->address, word, 23, 5);
    else
        m->base = (uint8_t)field(word, 9, 5);
}

bool machine_decode_at(const void *code, size_t most, uint64_t address, struct machine_instruction *i)
{
    uint32_t word;
    if (most < sizeof word)
        return false;
    memcpy(&word, code, sizeof word);
    *i = (struct machine_instruction){.address = address,
                                      .next = address + sizeof word,
                                      .name = "",
                                      .reads = UINT64_MAX,
                                      .writes = UINT64_MAX};
    i->memory.base = i->memory.index = MACHINE_NO_REGISTER;
    if (field(word, 31, 16) == 0)
        i->flow = FLOW_END; /* udf */
    else if (field(word, 28, 26) == 5)
        read_branch(word, i);
    else if ((field(word, 28, 25) == 2 && word >> 31) || (field(word, 31, 24) == 0xd9 && field(word, 21, 21)))
        i->access = ACCESS_UNKNOWN; /* of scalable vectors, of tags */
    else if (field(word, 27, 27) && !field(word, 25, 25))
        read_access(word, i);
    return true;
}

#elif !defined(__x86_64__)
#error "machine code of this architecture is not known: add a file beside this one"
#endif

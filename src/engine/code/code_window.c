/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/code/code_window.h"

#include <stdint.h>

enum { INSTRUCTIONS_MOST = 64 };

#if defined(__x86_64__)
/* What an opcode does with its operand in memory, and what follows. */
enum {
    MODRM = 1,
    TO_MEMORY = 2, /* writes the operand, if that is in memory */
    BYTE = 4,      /* a constant of one byte */
    WORD = 8,      /* one of four bytes, or two after 0x66 */
    LEAVES = 16,   /* a jump, a call, a return, a store by implicit registers */
    NOT_KNOWN = 32,
};

struct instruction {
    const uint8_t *at;
    bool wide, high; /* REX.W, REX.B: the base is one of the upper registers */
    bool half;       /* 0x66 */
    bool repeated;   /* 0xf3 */
};

static unsigned shape_of_arithmetic(uint8_t opcode)
{
    bool compares = opcode >= 0x38;
    switch (opcode & 7) {
    case 0:
    case 1: return compares ? MODRM : MODRM | TO_MEMORY;
    case 2:
    case 3: return MODRM;
    case 4: return BYTE;
    case 5: return WORD;
    default: return NOT_KNOWN;
    }
}

/* Opcodes whose meaning depends on three bits of the operand. */
static unsigned shape_of_group(uint8_t opcode, unsigned member)
{
    switch (opcode) {
    case 0x80:
    case 0x83: return MODRM | BYTE | (member == 7 ? 0 : TO_MEMORY);
    case 0x81: return MODRM | WORD | (member == 7 ? 0 : TO_MEMORY);
    case 0xf6: return MODRM | (member < 2 ? BYTE : member < 4 ? TO_MEMORY : 0);
    case 0xf7: return MODRM | (member < 2 ? WORD : member < 4 ? TO_MEMORY : 0);
    case 0xff: return member < 2 ? MODRM | TO_MEMORY : member == 6 ? MODRM : LEAVES;
    default: return NOT_KNOWN;
    }
}

static unsigned shape_of_byte(const struct instruction *i, uint8_t opcode)
{
    if (opcode < 0x40)
        return shape_of_arithmetic(opcode);
    if (opcode >= 0x50 && opcode <= 0x5f) /* push, pop */
        return 0;
    if (opcode >= 0x70 && opcode <= 0x7f)
        return LEAVES;
    if (opcode >= 0xb0 && opcode <= 0xb7)
        return BYTE;
    if (opcode >= 0xb8 && opcode <= 0xbf)
        return i->wide ? WORD | BYTE : WORD; /* both: eight bytes */
    switch (opcode) {
    case 0x63:
    case 0x84:
    case 0x85:
    case 0x8a:
    case 0x8b:
    case 0x8d: return MODRM;
    case 0x69: return MODRM | WORD;
    case 0x6b: return MODRM | BYTE;
    case 0x68:
    case 0xa9: return WORD;
    case 0x6a:
    case 0xa8: return BYTE;
    case 0x86:
    case 0x87:
    case 0x88:
    case 0x89:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
    case 0xfe: return MODRM | TO_MEMORY;
    case 0xc0:
    case 0xc1:
    case 0xc6: return MODRM | TO_MEMORY | BYTE;
    case 0xc7: return MODRM | TO_MEMORY | WORD;
    case 0x90:
    case 0x98:
    case 0x99: return 0;
    case 0xa4:
    case 0xa5:
    case 0xaa:
    case 0xab:
    case 0xc3:
    case 0xe8:
    case 0xe9:
    case 0xeb: return LEAVES;
    default: return shape_of_group(opcode, i->at[1] >> 3 & 7);
    }
}

/* Behind 0x0f. */
static unsigned shape_of_two_bytes(const struct instruction *i, uint8_t opcode)
{
    if (opcode >= 0x80 && opcode <= 0x8f)
        return LEAVES;
    if (opcode >= 0x90 && opcode <= 0x9f)
        return MODRM | TO_MEMORY;
    switch (opcode) {
    case 0x0b: return LEAVES;
    case 0x11:
    case 0x13:
    case 0x17:
    case 0x29:
    case 0x2b:
    case 0x7f:
    case 0xd6:
    case 0xe7: return MODRM | TO_MEMORY;
    case 0x7e: return i->repeated ? MODRM : MODRM | TO_MEMORY;
    case 0x70:
    case 0xc2:
    case 0xc6: return MODRM | BYTE;
    case 0x10:
    case 0x12:
    case 0x14:
    case 0x16:
    case 0x1e:
    case 0x1f:
    case 0x28:
    case 0x2a:
    case 0x2c:
    case 0x2d:
    case 0x2e:
    case 0x2f:
    case 0x6c:
    case 0x6e:
    case 0x6f:
    case 0xaf:
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf:
    case 0xd4:
    case 0xef: return MODRM;
    default:
        return (opcode >= 0x40 && opcode <= 0x4f) || (opcode >= 0x51 && opcode <= 0x5f) ? MODRM : NOT_KNOWN;
    }
}

static void skip_prefixes(struct instruction *i)
{
    for (;; i->at++) {
        i->half |= *i->at == 0x66;
        i->repeated |= *i->at == 0xf3;
        if (*i->at != 0x66 && *i->at != 0xf2 && *i->at != 0xf3 && *i->at != 0x2e && *i->at != 0x3e)
            break;
    }
    if ((*i->at & 0xf0) == 0x40) {
        i->wide = *i->at & 8;
        i->high = *i->at++ & 1;
    }
}

/* Behind the operand that begins at `at`. */
static const uint8_t *skip_operand(const uint8_t *at)
{
    unsigned mode = *at >> 6, base = *at & 7;
    at++;
    if (mode == 3)
        return at;
    if (base == 4)
        base = *at++ & 7; /* with an index */
    if (mode == 1)
        return at + 1;
    return mode == 2 || base == 5 ? at + 4 : at;
}

/* Relative to %rsp or %rbp? */
static bool is_in_frame(const struct instruction *i, const uint8_t *operand)
{
    unsigned mode = *operand >> 6, base = *operand & 7;
    if (base == 4)
        base = operand[1] & 7;
    return !i->high && (base == 4 || (base == 5 && mode != 0));
}

/* *at: behind it. */
static enum code_answer look_at(const uint8_t **at, bool frame_counts)
{
    struct instruction i = {.at = *at};
    skip_prefixes(&i);
    bool two = *i.at == 0x0f;
    i.at += two;
    unsigned shape = two ? shape_of_two_bytes(&i, *i.at) : shape_of_byte(&i, *i.at);
    const uint8_t *operand = ++i.at;
    if (shape & NOT_KNOWN)
        return CODE_UNKNOWN;
    if (shape & LEAVES)
        return CODE_STORES;
    if (shape & MODRM)
        i.at = skip_operand(operand);
    bool stores = shape & TO_MEMORY && *operand >> 6 != 3;
    if (stores && is_in_frame(&i, operand) && frame_counts)
        return CODE_UNKNOWN;
    if (stores && !is_in_frame(&i, operand))
        return CODE_STORES;
    bool eight = (shape & (BYTE | WORD)) == (BYTE | WORD);
    i.at += eight ? 8 : (shape & BYTE ? 1 : 0) + (shape & WORD ? (i.half ? 2 : 4) : 0);
    *at = i.at;
    return CODE_NO_STORE;
}

static bool is_call_before(const uint8_t *at, const uint8_t *end)
{
    return (end - at == 5 && at[0] == 0xe8) || (end - at == 6 && at[0] == 0xff && at[1] == 0x15);
}

#elif defined(__aarch64__)

static enum code_answer look_at(const uint8_t **at, bool frame_counts)
{
    uint32_t word = *(const uint32_t *)*at;
    *at += sizeof word;
    if ((word >> 26 & 7) == 5) /* branches */
        return CODE_STORES;
    bool accesses = (word >> 25 & 5) == 4, literal = (word >> 28 & 3) == 1 && (word >> 27 & 1);
    bool loads = word >> 22 & 1 || (literal && !(word >> 24 & 1));
    if (!accesses || loads)
        return CODE_NO_STORE;
    unsigned base = word >> 5 & 31;
    bool in_frame = base == 31 || base == 29;
    return !in_frame ? CODE_STORES : frame_counts ? CODE_UNKNOWN : CODE_NO_STORE;
}

static bool is_call_before(const uint8_t *at, const uint8_t *end)
{
    return end - at == 4 && *(const uint32_t *)at >> 26 == 0x25;
}

#else

static enum code_answer look_at(const uint8_t **at, bool frame_counts)
{
    (void)at;
    (void)frame_counts;
    return CODE_UNKNOWN;
}

static bool is_call_before(const uint8_t *at, const uint8_t *end)
{
    (void)at;
    (void)end;
    return false;
}

#endif

enum code_answer code_window(const void *at, const void *end, bool frame_counts)
{
    const uint8_t *now = at;
    for (int count = 0; count < INSTRUCTIONS_MOST; count++) {
        if (is_call_before(now, end))
            return CODE_NO_STORE;
        enum code_answer answer = look_at(&now, frame_counts);
        if (answer != CODE_NO_STORE)
            return answer;
    }
    return CODE_UNKNOWN;
}

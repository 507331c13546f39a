/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code, one instruction at a time, as a plain structure: what it computes, which registers it reads and writes,
 * where it leads, and what it does to memory. An architecture is one file of this folder; docs/internals/engine/assembly.md says
 * which library decodes what, and why. */
#ifndef MACHINE_INSTRUCTION_H
#define MACHINE_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers have the numbers that machine code gives them. */
enum {
#if defined(__aarch64__)
    MACHINE_STACK = 31,
    MACHINE_FRAME = 29,
#else
    MACHINE_STACK = 4,
    MACHINE_FRAME = 5,
#endif
    MACHINE_NO_REGISTER = 255,
    MACHINE_LONGEST = 15, /* bytes of an instruction */
    MACHINE_OPERANDS = 4,
};

/* Sets of registers: a bit for each general one by its number, for each vector register, and these. */
#define MACHINE_VECTOR0 32
#define MACHINE_FLAGS (UINT64_C(1) << 62)
#define MACHINE_OTHERS (UINT64_C(1) << 63) /* wider vectors, masks, the x87: not distinguished */
#define MACHINE_GENERAL UINT64_C(0xffffffff)
#define MACHINE_VECTORS (UINT64_C(0xffff) << MACHINE_VECTOR0 | MACHINE_OTHERS)

enum machine_flow {
    FLOW_ON,
    FLOW_BRANCH, /* to `target`, or on */
    FLOW_JUMP,   /* to `target`; 0: not known */
    FLOW_CALL,   /* of `target`; 0: not known */
    FLOW_RETURN,
    FLOW_END, /* nowhere */
};

enum machine_kind {
    KIND_OTHER,   /* not distinguished */
    KIND_NOTHING, /* no effect but on time and its own stores: nops, hints, prefetches */
    KIND_FENCE,   /* all stores before are visible */
    KIND_MOVE,
    KIND_MOVE_IF,
    KIND_SET_IF,
    KIND_ADDRESS, /* of `memory`, which is not accessed */
    KIND_ADD,
    KIND_ADD_CARRY,
    KIND_INCREMENT,
    KIND_EXCHANGE_ADD,
    KIND_SUBTRACT,
    KIND_SUBTRACT_CARRY,
    KIND_DECREMENT,
    KIND_AND,
    KIND_OR,
    KIND_XOR,
    KIND_NOT,
    KIND_NEGATE,
    KIND_BIT_TEST,
    KIND_BIT_SET,
    KIND_BIT_CLEAR,
    KIND_BIT_FLIP,
    KIND_COMPARE,
    KIND_TEST, /* compares with zero what both operands have in common */
    KIND_EXCHANGE,
    KIND_CAS,
    KIND_CAS_PAIR, /* of two registers: cmpxchg8b, cmpxchg16b */
    KIND_PUSH,
    KIND_POP,
    KIND_LEAVE,
    /* The result is no function of registers and memory: time, random numbers, what the processor is. */
    KIND_QUERY,
    KIND_SYSTEM, /* does more than this says: system calls, interrupts, transactions */
};

/* x86-64's numbers of some conditions. */
enum { CONDITION_BELOW = 2, CONDITION_EQUAL = 4, CONDITION_NOT_EQUAL = 5, CONDITION_NOT_ABOVE = 6 };

enum machine_operand_kind {
    OPERAND_OTHER,
    OPERAND_REGISTER,
    OPERAND_VECTOR,
    OPERAND_CONSTANT,
    OPERAND_MEMORY
};

struct machine_operand {
    uint8_t kind;   /* enum machine_operand_kind; of memory, see the instruction's `memory` */
    uint8_t number; /* of the register */
    uint16_t size;  /* bytes */
    bool high_byte; /* of the register: ah, ch, dh, bh */
    bool reads;     /* its value matters */
    int64_t constant;
};

/* What it does to memory, beside the stack for which pushes, pops, calls and returns need no operand. */
enum machine_access {
    ACCESS_NONE,
    ACCESS_OPERAND, /* at `memory` */
    ACCESS_COPY,    /* movs, stos and lods, at rsi and rdi; also repeated */
    ACCESS_UNKNOWN, /* several places, hidden ones, or addresses of unusual width */
};

/* An address that the instruction accesses, or only computes. */
struct machine_memory {
    uint8_t base, index; /* or MACHINE_NO_REGISTER */
    uint8_t scale;
    uint8_t distance_at; /* its four bytes in the instruction, if relative */
    bool own;            /* relative to the thread register */
    bool narrow;         /* the address has 32 bits only */
    bool relative;       /* to the instruction: `distance` is the address */
    bool reads, writes;
    uint32_t size;
    int64_t distance;
};

struct machine_instruction {
    uint64_t address, next;
    const char *name; /* in lower case; empty: not known */
    enum machine_kind kind;
    enum machine_flow flow;
    uint64_t target;
    uint64_t reads, kills; /* registers whose old value matters; those that do not keep it */
    uint64_t writes;       /* any part of them */
    uint8_t condition;     /* of what depends on the flags, by the processor's number */
    bool short_only;       /* a branch with one byte of distance only: loop, jrcxz */
    bool locked;           /* accesses its operand atomically, or as part of an exclusive pair */
    bool lock_prefix;      /* it says so itself, by "lock" before its name */
    bool repeats;          /* ACCESS_COPY: rcx times */
    uint8_t operand_count;
    enum machine_access access;
    struct machine_memory memory; /* without any, its registers are MACHINE_NO_REGISTER */
    /* Those that are written down, the result first. */
    struct machine_operand operands[MACHINE_OPERANDS];
};

/* The file of the decoder, for messages; empty: none is needed. */
extern const char machine_decoder[];

/* False: there is no decoder, and nothing can be decoded. */
bool machine_prepare(void);

/* The instruction at `code`, of which so many bytes may be looked at, if it stands at `address`. False: there is none. */
bool machine_decode_at(const void *code, size_t most, uint64_t address, struct machine_instruction *i);

/* The same for code of this process. */
static inline bool machine_decode(uint64_t address, size_t most, struct machine_instruction *i)
{
    return machine_decode_at((const void *)address, most, address, i);
}

#endif

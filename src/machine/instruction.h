/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code, one instruction at a time: what it reads and writes, where it leads, and what it does to memory. x86-64
 * only; the work is done by Zydis, which is loaded when it is needed: most programs have no inline assembly. */
#ifndef MACHINE_INSTRUCTION_H
#define MACHINE_INSTRUCTION_H

#include "graph/operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PLUMB_ZYDIS /* its file name, by CMake */
#define PLUMB_ZYDIS "libZydis.so"
#endif
#define DECODE_LIBRARY PLUMB_ZYDIS

enum { DECODE_NO_REGISTER = 255 };

/* Sets of registers: a bit for each of rax rcx rdx rbx rsp rbp rsi rdi r8 to r15, then xmm0 to xmm15, then these. */
#define DECODE_XMM0 16
#define DECODE_FLAGS (UINT64_C(1) << 32)
#define DECODE_OTHERS (UINT64_C(1) << 33) /* wider vectors, masks, the x87: not distinguished */
#define DECODE_VECTORS (UINT64_C(0xffff) << DECODE_XMM0 | DECODE_OTHERS)
/* What a call may change. */
#define DECODE_SCRATCH (UINT64_C(0x0fc7) | DECODE_VECTORS | DECODE_FLAGS)

enum decode_flow {
    FLOW_ON,
    FLOW_BRANCH, /* to `target`, or on */
    FLOW_JUMP,   /* to `target`; 0: not known */
    FLOW_CALL,   /* of `target`; 0: not known */
    FLOW_RETURN,
    FLOW_END, /* nowhere */
};

/* What it does that other threads, or the tool, have to know of. */
enum decode_action {
    DECODE_QUIET,  /* nothing; pushes and pops are quiet, too */
    DECODE_FENCE,  /* all stores before are visible */
    DECODE_ACCESS, /* of memory, at an operand */
    DECODE_COPY,   /* movs, stos and lods, also repeated */
    /* What no execution decides: time stamps, random numbers, what the processor is */
    DECODE_ANSWERS,
    DECODE_UNKNOWN, /* of which we know too little to run it */
};

/* Where the value comes from that is written or combined with the one in memory. */
enum decode_source {
    SOURCE_NONE, /* not known: the access is a plain one */
    SOURCE_CONSTANT,
    SOURCE_REGISTER,
    SOURCE_CONDITION, /* 1 if the condition of that number is true, else 0 */
    SOURCE_PAIR,      /* cmpxchg8b, cmpxchg16b: ecx:ebx, rcx:rbx */
};

struct decode_memory {
    uint8_t base, index; /* or DECODE_NO_REGISTER */
    uint8_t scale;
    bool own;            /* relative to the thread register */
    bool relative;       /* to the instruction: `distance` is the address */
    uint8_t distance_at; /* its four bytes in the instruction, if relative */
    int64_t distance;
    uint32_t size;
    bool reads, writes;
};

struct decoded {
    uint64_t address, next;
    const char *name;
    uint64_t reads, kills; /* registers whose old value matters; those that do not keep it */
    uint64_t writes;       /* any part of them */
    enum decode_flow flow;
    uint64_t target;
    bool near_only; /* a branch with one byte of distance only: loop, jrcxz */
    enum decode_action action;
    bool locked;
    bool repeats;             /* DECODE_COPY: rcx times */
    bool bits;                /* the source is the number of a bit, which may lie beside the operand */
    bool carries;             /* the carry is added to the source */
    enum operation operation; /* on `memory`; OPERATION_NONE: a plain access */
    enum decode_source source;
    bool high_byte; /* of the source register: ah, ch, dh, bh */
    uint8_t source_register;
    uint64_t source_constant;
    struct decode_memory memory;
};

/* False: there is no decoder, and nothing can be decoded. */
bool decode_prepare(void);

/* The instruction at `address`, of which so many bytes may be looked at. False: there is none. */
bool decode(const void *address, size_t most, struct decoded *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of an x86-64 program, as objdump lists them (AT&T syntax). */
#ifndef TARGET_MACHINE_CODE_H
#define TARGET_MACHINE_CODE_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum machine_register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R12 = 12, R15 = 15, NO_REGISTER = 16 };

enum operand_kind {
    OPERAND_NONE,
    OPERAND_REGISTER,
    OPERAND_VECTOR, /* xmm */
    OPERAND_CONSTANT,
    OPERAND_MEMORY,
    OPERAND_ELSEWHERE, /* memory that is no part of a frame: relative to rip or to a segment */
    OPERAND_UNKNOWN,
};

struct operand {
    uint8_t kind;       /* enum operand_kind */
    uint8_t size;       /* bytes of a register */
    uint8_t base;       /* the register; that of memory, or NO_REGISTER */
    uint8_t index;      /* of memory, or NO_REGISTER */
    int32_t constant;   /* also what is added to the address of memory */
    bool wide_constant; /* it does not fit */
    bool relative;      /* memory at a constant distance from the next instruction */
};

/* plumb-as marks inline assembly that the runtime runs with an address of this. */
#define MACHINE_MARK 0x73416c50
#define MACHINE_TEXT_OF(number) #number
#define MACHINE_TEXT(number) MACHINE_TEXT_OF(number)

enum { MACHINE_OPERANDS = 3, MACHINE_MNEMONIC = 16, MACHINE_NAME = 64 };

struct instruction {
    uint64_t address;
    uint64_t target; /* jumps and calls to a known place; 0: another */
    char mnemonic[MACHINE_MNEMONIC];
    char callee[MACHINE_NAME]; /* calls: the name in another module, without "@plt"; empty: not known */
    struct operand operands[MACHINE_OPERANDS];
    uint32_t operand_count;
};

struct machine_function {
    char name[MACHINE_NAME];
    uint64_t address, end;
    size_t first, count; /* of the instructions */
};

struct machine_code {
    VEC(struct instruction) instructions;
    VEC(struct machine_function) functions; /* by address */
};

void machine_code_read(FILE *listing, struct machine_code *into);
void machine_code_free(struct machine_code *code);

/* Starts objdump for the code of the executable at `path`. Null: that is not possible. */
FILE *machine_code_list(const char *path, int *child);
bool machine_code_end(FILE *listing, int child); /* true: the listing was complete */

#endif

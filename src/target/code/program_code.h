/* SPDX-License-Identifier: Apache-2.0 */
/* The machine code of a program's file, function by function, with the names of what it calls in other files. */
#ifndef TARGET_PROGRAM_CODE_H
#define TARGET_PROGRAM_CODE_H

#include "base/vec.h"
#include "machine/instruction.h"

#include <gelf.h>

struct code_function {
    const char *name;
    uint64_t address, end; /* of the next one, or of the code */
    const uint8_t *bytes;
};

struct code_import {
    uint64_t address;
    const char *name;
};
typedef VEC(struct code_import) code_imports; /* by address */

struct program_code {
    int fd;
    Elf *elf;
    VEC(struct code_function) functions; /* by address */
    /* Functions of other files: words of the global offset table with their addresses, and what jumps to these. */
    code_imports slots, entries;
};

/* False: the file has no code that can be read, or there is no decoder. Closed in any case. */
bool program_code_open(struct program_code *c, const char *path);
void program_code_close(struct program_code *c);

/* Goes on to the next instruction of the function; {0} leads to the first one. Bytes that are not code are instructions of
 * unknown access. False: that was the last. */
bool program_code_next(const struct code_function *f, struct machine_instruction *i);

/* What the file has in memory from that address on, so many bytes; null: nothing. */
const uint8_t *program_code_data(const struct program_code *c, uint64_t address, size_t *bytes);
/* The same, of memory that the program cannot write. */
const uint8_t *program_code_constant(const struct program_code *c, uint64_t address, size_t *bytes);

/* The function of another file that is called, or jumped to; empty: not known. */
const char *program_code_callee(const struct program_code *c, const struct machine_instruction *i);

#endif

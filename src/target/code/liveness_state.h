/* SPDX-License-Identifier: Apache-2.0 */
/* What one instruction does to registers and to the frame; shared by the files liveness*.c. */
#ifndef TARGET_LIVENESS_STATE_H
#define TARGET_LIVENESS_STATE_H

#include "target/code/program_code.h"

/* What a register holds: an address in the frame, as an offset from its top; surely no such address; perhaps. */
enum { NOT_FRAME = INT32_MAX, MAYBE_FRAME = INT32_MAX - 1 };

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R12 = 12, R15 = 15, REGISTERS };

struct code_instruction {
    struct machine_instruction machine;
    const char *callee; /* empty: not known, or no call */
};

struct frame_state {
    int32_t registers[REGISTERS];
};

static inline bool may_be_frame(int32_t value)
{
    return value != NOT_FRAME;
}

static inline bool is_frame(int32_t value)
{
    return value != NOT_FRAME && value != MAYBE_FRAME;
}

typedef unsigned __int128 frame_parts;

/* What is needed after or before an instruction. */
struct needs {
    uint16_t registers;
    frame_parts parts;
};

/* What an instruction reads and what it overwrites for certain. `state` changes to what holds after it. */
struct effect {
    struct needs uses, kills;
    enum machine_flow flow; /* on, behind a call that returns */
};

/* What is known about a function, at its instructions. */
struct liveness {
    const struct code_instruction *code;
    size_t count;
    struct frame_state *states; /* before each */
    struct effect *effects;
    struct needs *needs; /* before each */
    bool *reached;
    VEC(size_t) open; /* whose state has changed */
};

/* Where the code goes on after a load, or a CAS that fails, that found zero or `something` else: there, of all that is
 * needed, this holds what was found, and the rest what it held before. Addresses in the frame are the same anyway. */
struct liveness_exit {
    uint64_t merge;
    struct needs found, same;
    uint16_t fixed;                   /* registers that hold an address in the program, which is: */
    uint64_t fixed_values[REGISTERS]; /* from the start of the program */
};

/* False: there is no such place. */
bool liveness_follow(const struct liveness *a, size_t call, bool something, struct liveness_exit *exit);

/* The instruction at an address; `count` if there is none. */
size_t liveness_find_instruction(const struct liveness *a, uint64_t address);

/* Parts of the frame that [offset, offset + size) touches, or covers wholly. */
frame_parts liveness_parts_of(int64_t offset, unsigned size, bool wholly);

/* Where in the frame the memory is; MAYBE_FRAME: anywhere, NOT_FRAME: elsewhere. */
int32_t liveness_place_of(const struct machine_memory *m, const struct frame_state *s);

/* Does the argument of the function only say where something is accessed? */
bool liveness_announces(const char *callee);

/* False: it is not understood, or lets others know the frame. */
bool liveness_step(const struct code_instruction *i, struct frame_state *state, struct effect *effect);

bool liveness_is_atomic_call(const struct code_instruction *i);
/* Of these: is what it expects in memory, at its second argument? */
bool liveness_expects_by_address(const struct code_instruction *i);

/* Functions that come back another way than they went, or from which a function goes on at an unseen place. */
bool liveness_is_strange(const char *callee);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What one instruction does to registers and to the frame; shared by the files liveness*.c. */
#ifndef TARGET_LIVENESS_STATE_H
#define TARGET_LIVENESS_STATE_H

#include "engine/loop/fold.h"
#include "machine/known_calls.h"
#include "target/code/program_code.h"

/* What a register holds: an address in the frame, as an offset from its top; surely no such address; perhaps. */
enum { NOT_FRAME = INT32_MAX, MAYBE_FRAME = INT32_MAX - 1 };

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R12 = 12, R15 = 15, REGISTERS };
#define BIT(r) ((uint16_t)(1u << (r)))
static const uint16_t CALLEE_SAVED = 1 << RBX | 1 << RBP | 0xf << R12;

struct code_instruction {
    struct machine_instruction machine;
    const char *callee; /* empty: not known, or no call */
    bool prints;        /* a call with a constant format, no argument on the stack */
    uint16_t printed;   /* and these registers hold numbers that it prints */
};

typedef unsigned __int128 frame_parts;
static const frame_parts ALL_PARTS = ~(frame_parts)0;

/* Registers that calls preserve have a second number, their place in fold_frame. */
struct frame_state {
    int32_t registers[REGISTERS];
    /* Those that hold what they did when the function was entered, and where in the frame that was saved (0: nowhere) */
    uint16_t kept;
    bool leaked;           /* others may know an address in the frame */
    frame_parts addresses; /* parts that may hold addresses in the frame */
    int32_t saved[FOLD_REGISTERS];
};

extern const uint8_t liveness_saved_order[FOLD_REGISTERS];

/* What is known about functions that are called. */
enum lending { LENDING_FINE, LENDING_RETURNS, LENDING_LEAKS };

struct callees {
    void *context;
    /* Does the function let others know the address in this argument, or return it? */
    enum lending (*lends)(void *context, uint64_t function, unsigned argument);
    /* Does it read arguments in its caller's frame? */
    bool (*reads_above)(void *context, uint64_t function);
    /* May it read rax, in which callers say how many vectors they pass on? */
    bool (*reads_rax)(void *context, uint64_t function);
};

static inline bool may_be_frame(int32_t value)
{
    return value != NOT_FRAME;
}

static inline bool is_frame(int32_t value)
{
    return value != NOT_FRAME && value != MAYBE_FRAME;
}

/* What is needed after or before an instruction. */
struct needs {
    uint16_t registers;
    frame_parts parts;
    bool flags;
};

/* What an instruction reads and what it overwrites for certain. `state` changes to what holds after it. */
struct effect {
    struct needs uses, kills;
    enum machine_flow flow; /* on, behind a call that returns */
    uint16_t printed;       /* needed if what the call returns is */
    struct needs restores;  /* the register, if it is needed, needs these parts */
    bool lends;             /* a call, during which the callee may read the frame */
    bool leaks;             /* lets others know an address in the frame */
    bool reads_above;       /* accesses the caller's frame */
};

/* What is known about a function, at its instructions. */
struct liveness {
    const struct code_instruction *code; /* by address, of all parts of the function */
    size_t count, entry;
    const struct landing_pads *pads;
    const struct callees *callees;
    struct frame_state *states; /* before each */
    struct effect *effects;
    struct needs *needs; /* before each */
    bool *reached;
    struct idle_branch *idle; /* liveness_idle.c: of each */
    VEC(size_t) open;         /* whose state has changed */
    VEC(size_t) tables;       /* where its tables of jumps lead */
    bool reads_above;         /* accesses the caller's frame */
    bool returns_argument;
    bool leaks;
    uint64_t refused_at; /* an instruction */
};

/* May others know the frame when the instruction has happened? */
static inline bool liveness_is_known_to_others(const struct liveness *a, size_t k)
{
    return a->states[k].leaked || a->effects[k].leaks;
}

static inline bool liveness_falls_through(enum machine_flow flow)
{
    return flow == FLOW_ON || flow == FLOW_BRANCH;
}

static inline bool liveness_jumps(enum machine_flow flow)
{
    return flow == FLOW_JUMP || flow == FLOW_BRANCH;
}

/* The instruction behind this one, unless a part of the function ends with it; the one it jumps to; where a call goes on that
 * throws (hooks do not). `count`: nowhere in this function. */
size_t liveness_next_of(const struct liveness *a, size_t k);
size_t liveness_target_of(const struct liveness *a, size_t k);
size_t liveness_pad_of(const struct liveness *a, size_t k);

/* Backwards, what is needed: liveness_needs.c */
void liveness_find_needs(struct liveness *a);
struct needs liveness_needs_after(const struct liveness *a, size_t k);
/* Before each instruction, if the branch went either way by itself. To be freed. */
struct needs *liveness_needs_without(const struct liveness *a, size_t branch);
void liveness_add_needs(struct needs *into, struct needs more);
/* All of them that other instructions read, those of the carry included. */
bool liveness_overwrites_flags(const struct machine_instruction *i);
bool liveness_overlap(const struct needs *a, const struct needs *b);

/* Counters that decide nothing but when to yield: liveness_idle.c. What an assignment writes, all of it in registers, flags or
 * parts of the frame that are distinguished; false: it does more. */
bool liveness_assigns(const struct liveness *a, size_t k, struct needs *writes);

/* Registers, flags and memory of its operands, nothing else, and without failing but for the memory. */
bool liveness_only_computes(const struct machine_instruction *i);

/* A branch whose ways meet again after assignments, pauses and yields only, having written this. */
struct idle_branch {
    bool idle;
    size_t join;
    struct needs writes;
};

struct idle_branch liveness_idle_branch(const struct liveness *a, size_t k);
/* An assignment, pause, yield or jump; what it writes. */
bool liveness_is_idle(const struct liveness *a, size_t k, struct needs *writes);

/* Does a loop around the load give up after so many rounds? What is needed there but for the counter: liveness_patience.c */
bool liveness_is_patient(const struct liveness *a, size_t load, struct needs *rest);

/* Where the code goes on after a CAS that has succeeded; `count`: not known. liveness_cas.c */
size_t liveness_way_of_success(const struct liveness *a, size_t cas);

/* Where what is found goes to, and who hears of each place. */
struct place_sink {
    struct fold_places *places;
    const struct liveness_listener *listener;
    bool all; /* hooks: not only those of atomic accesses */
};

/* Those of one function, with why it was refused, or null: liveness_places.c */
void liveness_add_places(const struct liveness *a, const char *function, const char *refused,
                         const struct place_sink *p);

/* Which calls print what, in `list`, the code itself: liveness_printing.c. Jumps by tables are known. */
void liveness_find_printing(const struct liveness *a, struct code_instruction *list,
                            const struct program_code *code);

/* Does other code lead to an instruction behind the first one, up to the second? */
bool liveness_is_entered(const struct liveness *a, size_t from, size_t to);

/* Hooks of plain updates that make no other use of what they find: liveness_updates.c. What is needed is known. */
void liveness_find_updates(const struct liveness *a, struct fold_places *into);

/* Jumps by tables: jump_tables.c */
void liveness_find_tables(struct liveness *a, const struct program_code *code);
bool liveness_jumps_by_table(const struct liveness *a, size_t jump);

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

/* Null, or why not: it is not understood, or its frame ends while others may know it. `leaves`: it jumps out of the function. */
const char *liveness_step(const struct code_instruction *i, const struct callees *callees, bool leaves,
                          struct frame_state *state, struct effect *effect);

/* Its call or its last call, when its frame is gone: liveness_calls.c. Is an address of the frame in another argument than these? */
void liveness_step_call(const struct code_instruction *i, const struct callees *callees,
                        struct frame_state *s, struct effect *e);
void liveness_step_last_call(const struct code_instruction *i, const struct callees *callees,
                             const struct frame_state *s, struct effect *e);
bool liveness_lets_know_frame(const struct code_instruction *i, const struct frame_state *s,
                              uint16_t allowed);

/* Registers and memory that its operands are in. */
void liveness_use_operands(struct effect *e, const struct machine_instruction *i,
                           const struct frame_state *s);

static inline uint16_t liveness_changed_registers(const struct frame_state *s)
{
    return (uint16_t)(CALLEE_SAVED & ~s->kept);
}

bool liveness_is_atomic_call(const struct code_instruction *i);
/* Of these: is what it expects in memory, at its second argument? */
bool liveness_expects_by_address(const struct code_instruction *i);

/* An atomic access, or a function of the library that is a step at an object. */
bool liveness_is_step(const struct code_instruction *i);

/* Functions that come back another way than they went; with exceptions, if landing pads are not known. */
bool liveness_is_strange(const char *callee, bool knows_pads);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A small concurrent program as data: threads of instructions over registers and shared locations, run by
 * interpretation behind the explorer's port. Litmus tests become such programs, and so do the random ones the
 * explorer is tested with. */
#ifndef LITMUS_PROGRAM_H
#define LITMUS_PROGRAM_H

#include "base/vec.h"
#include "explore/port.h"

enum {
    PROGRAM_THREADS_MAX = 16,
    PROGRAM_REGISTERS_MAX = 32, /* of each thread */
    PROGRAM_LOCATIONS_MAX = 64,
};

/* Arithmetic of 64-bit values. Children come before their parents in `expressions`. */
enum expression_kind {
    EXPRESSION_CONSTANT,
    EXPRESSION_REGISTER, /* value: its number */
    EXPRESSION_ADD,
    EXPRESSION_SUB,
    EXPRESSION_MUL,
    EXPRESSION_AND,
    EXPRESSION_OR,
    EXPRESSION_XOR,
    EXPRESSION_EQUAL,
    EXPRESSION_NOT_EQUAL,
    EXPRESSION_LESS,
    EXPRESSION_LESS_EQUAL,
    EXPRESSION_LOGICAL_AND,
    EXPRESSION_LOGICAL_OR,
    EXPRESSION_NOT, /* left only */
};

struct expression {
    enum expression_kind kind;
    int64_t value;
    uint32_t left, right;
};

enum instruction_kind {
    INSTRUCTION_ACCESS, /* operation on a location; `target` gets what was found */
    /* Like ACCESS; `target` gets 1 when exchanged, `expected_register` what was found when not */
    INSTRUCTION_CAS,
    INSTRUCTION_FENCE,
    INSTRUCTION_SET,          /* target = expression */
    INSTRUCTION_JUMP_IF_ZERO, /* to `destination`, if the expression is 0 */
    INSTRUCTION_JUMP,
    /* Loads until what was found makes `expression` (of `target`) other than 0 */
    INSTRUCTION_AWAIT,
    INSTRUCTION_CREATE, /* starts thread `destination` */
    INSTRUCTION_JOIN,
    INSTRUCTION_ASSERT, /* expression is not 0, or the execution is an error */
};

struct instruction {
    enum instruction_kind kind;
    enum operation operation; /* LOAD STORE EXCHANGE ADD ... LOCK TRYLOCK UNLOCK */
    uint8_t order, failure_order;
    bool weak;
    int32_t target;            /* register, or -1 */
    int32_t expected_register; /* CAS: in and out; -1: `expected` is constant and nothing is stored */
    uint32_t location;
    /* The bytes of the location: as many as `size`, a power of two, from `offset` on, a multiple of it; 0: all eight */
    uint8_t offset, size;
    uint32_t expression; /* operand, value or condition */
    uint32_t expected;   /* CAS without expected_register: an expression */
    uint32_t destination;
};

struct program_thread {
    VEC(struct instruction) code;
    /* Begins only when created; others begin at once, all after the initial values */
    bool on_demand;
};

struct program {
    VEC(struct expression) expressions;
    struct program_thread threads[PROGRAM_THREADS_MAX];
    uint32_t thread_count;
    int64_t initial[PROGRAM_LOCATIONS_MAX];
    uint32_t location_count;
};

static inline unsigned program_size_of(const struct instruction *i)
{
    return i->size ? i->size : 8;
}

uint32_t program_constant(struct program *p, int64_t value); /* an expression */
uint32_t program_register(struct program *p, uint32_t number);
uint32_t program_expression(struct program *p, enum expression_kind kind, uint32_t left, uint32_t right);
void program_free(struct program *p);

/* For each thread, the first one with the same code, from 1. What explorers call symmetry. */
void program_find_alike(const struct program *p, uint32_t *alike);

/* With a thread's registers (PROGRAM_REGISTERS_MAX of them). */
int64_t program_evaluate(const struct program *p, uint32_t expression, const int64_t *registers);

/* One execution as it ended. */
struct program_state {
    enum port_outcome outcome;
    enum port_stop why;                                            /* BLOCKED and CUT only */
    int64_t registers[PROGRAM_THREADS_MAX][PROGRAM_REGISTERS_MAX]; /* by program thread, from 0 */
    /* Last values. Explorers of graphs: ask the graph instead, a step may have been shown an older one. */
    int64_t memory[PROGRAM_LOCATIONS_MAX];
    uint16_t program_thread[PROGRAM_THREADS_MAX + 1]; /* by the port's number, from 1 on */
    bool spins[PROGRAM_THREADS_MAX + 1];              /* by the port's number: was at an await, in vain */
    bool failed;                                      /* an assertion */
    /* Explorers of graphs: it was broken off, is begun again, and does not count */
    bool repeats;
};

/* Runs executions until the explorer has enough; calls `each` after every one. Locations have the addresses
 * program_address(number), 8 bytes each, the lowest byte first. False: `each` returned false.
 *
 * Threads as the explorer sees them: thread 0 is a main thread that creates every thread that is not
 * on_demand, in their order, and then joins them. The others get the numbers that the explorer answers (explorers
 * of schedules: in the order of creation); each begins with BEGIN and ends with END. Main has no BEGIN; its
 * END ends the execution, and explorers of schedules are asked for it only when nothing else can run.
 *
 * A lock that cannot be had, and an await of a value that is not there, leave the thread where it is; the next
 * action of such an await has PORT_SPINS and round 1. Any explorer will do: one of schedules chooses among the
 * steps that are possible on sequentially consistent memory. A failed assertion ends the execution at
 * once. `weak` only sets PORT_WEAK: failing for no reason is up to the explorer, at every try. */
bool program_explore(const struct program *p, struct explorer *e,
                     bool (*each)(void *context, const struct program_state *s), void *context);

uint64_t program_address(uint32_t location);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a model is compiled to: for every process its places, for every place its steps, for every step the code of its
 * condition and of its effect, with the addresses of variables in the state vector. */
#ifndef PROMELA_CODE_H
#define PROMELA_CODE_H

#include "promela/promela_graph.h"
#include "promela/promela.h"
#include "refine/system.h"

/* A machine with a stack of numbers. `a` is the operand, `b` a second one. */
enum promela_instruction_kind {
    CODE_END,
    CODE_PUSH,
    CODE_LOAD8,
    CODE_LOAD16, /* signed */
    CODE_LOAD_U16,
    CODE_LOAD32,
    CODE_INDEX,    /* index to offset: check against b, multiply by a */
    CODE_LOAD8_AT, /* the offset on the stack plus a */
    CODE_LOAD16_AT,
    CODE_LOAD_U16_AT,
    CODE_LOAD32_AT,
    CODE_LOAD8_INDEXED, /* an index below b of an array of bytes at a */
    CODE_MASK,          /* & a */
    CODE_STORE8,
    CODE_STORE16,
    CODE_STORE32,
    CODE_STORE8_AT, /* value, offset */
    CODE_STORE16_AT,
    CODE_STORE32_AT,
    CODE_SET8,   /* to b, without the stack */
    CODE_CLEAR,  /* b bytes at a */
    CODE_EQUAL8, /* byte at a with b */
    CODE_UNEQUAL8,
    CODE_OPERATE,                                      /* + enum promela_operator */
    CODE_JUMP = CODE_OPERATE + OPERATOR_REMAINDER + 1, /* by a */
    CODE_JUMP_FALSE,                                   /* pops */
    CODE_JUMP_FALSE_KEEP,                              /* && : keeps 0, or pops */
    CODE_JUMP_TRUE_KEEP,                               /* || : keeps 1, or pops */
    CODE_TRUTH,
    CODE_ASSERT,
    CODE_POINT,       /* of operation a, with the answer on the stack */
    CODE_ARGUMENT,    /* number b: its location is a */
    CODE_ARGUMENT_AT, /* and an offset on the stack, in bytes: see `locations_at` */
};

struct promela_instruction {
    uint16_t kind;
    uint16_t b;
    int32_t a;
};

enum promela_fault {
    FAULT_NONE,
    FAULT_INDEX,
    FAULT_DIVISION,
    FAULT_ASSERTION,
    FAULT_BLOCKED,
    FAULT_ENDLESS,
    FAULT_LONG, /* perhaps endless */
    FAULT_POINTS,
    FAULT_KINDS
};

enum { NO_CODE = UINT32_MAX, STACK_MAX = 3 * PROMELA_DEPTH_MAX };

struct promela_step {
    uint32_t condition; /* NO_CODE: always */
    uint32_t effect;
    uint32_t answer; /* RETURN: the code of the value */
    uint32_t to;     /* place */
    uint32_t entry;  /* D_STEP: place inside; NO_NODE */
    uint32_t place;  /* of the text */
    uint8_t kind;    /* enum refine_step_kind */
    uint8_t operation;
    uint8_t argument_count;
    bool is_else, holds, is_local;
};

struct promela_stand { /* where a process can stand */
    uint32_t first, count;
    bool is_end;
    bool has_shared_condition; /* others can change which of its steps are possible */
};

struct promela_process {
    const struct promela_process_type *type;
    const char *name;
    uint32_t number; /* _pid */
    uint32_t offset; /* in the state: the place, then the variables */
    uint8_t thread;
    struct promela_stand *stands;
    uint32_t stand_count, start, end;
};

/* What RET and POINT of an operation give. */
struct promela_answers {
    bool items; /* some give an item */
    /* The first that gives something else than an item or NONE; line 0: none does */
    struct promela_place numbers;
};

struct promela_system {
    struct refine_system system;
    struct promela_model model;
    VEC(struct promela_graph) graphs; /* of the types, in their order */
    VEC(struct promela_process) processes;
    VEC(struct promela_step) steps;
    VEC(struct promela_instruction) code;
    VEC(uint32_t) code_places;
    VEC(struct refine_location) locations;
    VEC(const uint8_t *) location_items; /* whether each can hold items */
    VEC(uint32_t) thread_offsets;
    VEC(struct promela_written) faults; /* place * FAULT_KINDS + kind */
    uint16_t *locations_at;             /* number of the location at an offset */
    uint32_t place_width;               /* bytes of a process's place */
    uint32_t global_prologue;
    uint32_t active_count; /* processes that are there from the beginning */
    bool like_spin;
    struct diagnostic items, ordered_items; /* why items cannot be renamed; code 0: they can */
    VEC(struct promela_answers) answers;    /* of each operation */
    bool has_items;
};

static inline struct promela_system *promela_of(const struct refine_system *s)
{
    return (struct promela_system *)s;
}

/* The place of a process in a state. */
static inline uint32_t promela_stand(const struct promela_system *s, const struct promela_process *p,
                                     const uint8_t *state)
{
    uint32_t low = state[p->offset];
    return s->place_width == 1 ? low : low | (uint32_t)state[p->offset + 1] << 8;
}

static inline void promela_set_stand(const struct promela_system *s, const struct promela_process *p,
                                     uint8_t *state, uint32_t stand)
{
    state[p->offset] = (uint8_t)stand;
    if (s->place_width == 2)
        state[p->offset + 1] = (uint8_t)(stand >> 8);
}

/* Code (promela_compile.c, promela_emit.c). */
void promela_compile(struct promela_system *s, const struct promela_settings *settings);
uint32_t promela_emit_condition(struct promela_system *s, const struct promela_process *p,
                                const struct promela_expression *e, uint32_t place);
void promela_emit_value(struct promela_system *s, const struct promela_process *p,
                        const struct promela_expression *e, uint32_t place);
void promela_emit_effect(struct promela_system *s, const struct promela_process *p,
                         const struct promela_edge *e);
void promela_emit_store(struct promela_system *s, const struct promela_process *p,
                        const struct promela_variable *v, uint32_t element,
                        const struct promela_expression *value, uint32_t place);
/* Stores what is on the stack. */
void promela_emit_parameter(struct promela_system *s, const struct promela_process *p,
                            const struct promela_variable *v, uint32_t place);
void promela_emit(struct promela_system *s, enum promela_instruction_kind kind, int32_t a, uint32_t b,
                  uint32_t place);
uint32_t promela_width(const struct promela_variable *v);

/* The state vector (promela_layout.c). */
void promela_lay_out(struct promela_system *s);

/* Items (promela_items.c): which variables can hold them, and what is done with them that is not copying. */
void promela_find_items(struct promela_system *s);

/* The result of running code, beside the state. */
struct promela_result {
    int32_t value;
    uint32_t fault_at; /* instruction */
    uint16_t args[REFINE_ARGS_MAX];
    bool has_point;
    uint8_t point_op;
    int32_t point;
};

enum promela_fault promela_execute(const struct promela_system *s, uint32_t code, uint8_t *state,
                                   struct promela_result *r);

/* Running (promela_machine.c) and showing (promela_print.c). */
void promela_initial(const struct refine_system *s, uint8_t *state);
enum promela_fault promela_start(const struct promela_system *s,
                                 uint8_t *state); /* the same, with what went wrong */
void promela_steps(const struct refine_system *s, const uint8_t *state, struct refine_steps *out);
void promela_name_faults(struct promela_system *s);
struct refine_place promela_describe(const struct refine_system *s, uint32_t place);
size_t promela_print(const struct refine_system *s, const uint8_t *state, char *buffer, size_t size);
size_t promela_changes(const struct refine_system *s, const uint8_t *before, const uint8_t *after,
                       char *buffer, size_t size);
bool promela_is_final(const struct refine_system *s, const uint8_t *state);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A system as the refinement checker sees it: states are byte vectors of one size, steps lead from state to state, and
 * some steps are calls and returns of operations. Models (promela/promela.h) and Aldebaran files (refine/automata/aut.h) are such
 * systems; the checker knows nothing else about them.
 *
 * Values are small numbers. What a number means as an answer depends on the operation: 0 (NONE) is "nothing" for an
 * operation that may answer null, false for one that answers a truth value, and 0 for one that answers numbers. */
#ifndef REFINE_SYSTEM_H
#define REFINE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum {
    REFINE_THREADS_MAX = 8,
    REFINE_ARGS_MAX = 2,
    REFINE_NONE = 0,   /* the empty marker of data variables, and the answer "nothing" */
    REFINE_OK = 254,   /* the answer of operations that answer nothing in particular */
    REFINE_FULL = 255, /* the answer of an addition for which there was no room */
    REFINE_NO_THREAD = 0xff,
    REFINE_NOWHERE = UINT16_MAX,
};

/* A variable in the state vector: little endian, 1, 2 or 4 bytes. Numbers in tables `locations`. */
struct refine_location {
    uint32_t offset;
    uint8_t width;
    /* Holds only items: arguments of operations that the model copies, returns, and compares with NONE, but never counts
     * with. Items can then be renamed without changing what the model does. */
    bool is_data;
};

enum refine_step_kind {
    REFINE_INTERNAL,
    REFINE_CALL,
    REFINE_RETURN,
    /* The model itself is wrong: an assertion failed, an index is out of range; there is no next state */
    REFINE_FAULT,
    /* Not a step: the thread's operation never returns unless others call something. An error if the specification does not let it wait. */
    REFINE_STUCK,
};

struct refine_step {
    uint8_t kind;
    /* 0, 1, ...: numbers processes that call operations; REFINE_NO_THREAD: another process */
    uint8_t thread;
    uint8_t op; /* CALL, RETURN, and steps with a point: number in `ops` */
    /* INTERNAL: reads and writes nothing but the process's own variables, is the only step the process has here, and
     * cannot be one of an endless run of such steps. Other steps can wait until it is done. */
    bool is_local;
    bool is_limit; /* FAULT: only too long for us */
    /* The model says: here the thread's operation takes effect, and will answer `point` */
    bool has_point;
    uint8_t arg_count; /* CALL */
    /* CALL: the locations that receive the arguments, where the next state has NONE; or REFINE_NOWHERE, and the
     * argument is the constant. */
    uint16_t args[REFINE_ARGS_MAX];
    int32_t constants[REFINE_ARGS_MAX];
    int32_t value;       /* RETURN: the answer */
    bool answers_number; /* and it is never an item, small as it may be */
    bool is_bad_answer;  /* it is of a kind that the operation never gives; the value says nothing */
    bool is_integer;     /* for the history: the value is an integer, whatever else the operation answers */
    int32_t point;
    uint32_t place; /* for `describe` */
    /* The system has given its threads other numbers in the next state: thread t is permutation[t] there */
    bool is_permuted;
    uint8_t permutation[REFINE_THREADS_MAX];
    /* For reports: another thread that the step is about */
    uint8_t other;
};

/* All steps from one state: step i leads to states.data + i * state_size. */
struct refine_steps {
    VEC(struct refine_step) steps;
    VEC(uint8_t) states;
    void *scratch; /* the system's, freed by refine_steps_free */
};

void refine_steps_clear(struct refine_steps *s);
void refine_steps_free(struct refine_steps *s);

/* Where a step is written. `text` is the statement as the user wrote it, shortened. */
struct refine_place {
    const char *file; /* null: nowhere */
    uint32_t line, column;
    const char *text;
};

struct refine_system {
    const char *name; /* of the file */
    uint32_t state_size;
    uint32_t threads;
    const char *const *ops; /* names of operations */
    uint32_t op_count;
    const struct refine_location *locations;
    uint32_t location_count;

    /* The part of the state vector that belongs to each thread's process, all of the same size if `symmetric`: then the
     * threads run the same text, never ask who they are, and swapping two parts gives a state of the same future. */
    const uint32_t *thread_offsets;
    uint32_t thread_size;
    bool symmetric;

    /* Functions may be called from several OS threads at once, each with its own refine_steps. */
    void (*initial)(const struct refine_system *s, uint8_t *state);
    void (*steps)(const struct refine_system *s, const uint8_t *state,
                  struct refine_steps *out); /* appends */
    struct refine_place (*describe)(const struct refine_system *s, uint32_t place);
    /* The values of variables for a reader, like snprintf; null: there is nothing to show. */
    size_t (*print)(const struct refine_system *s, const uint8_t *state, char *buffer, size_t size);
    /* The variables that a step changed, like snprintf: "cell[0] = 1, filled = 1". Null: not known. */
    size_t (*changes)(const struct refine_system *s, const uint8_t *before, const uint8_t *after,
                      char *buffer, size_t size);
    /* No step and no process at its end (or at a label that starts with "end"): a deadlock? Null: never. */
    bool (*is_final)(const struct refine_system *s, const uint8_t *state);
    void (*destroy)(struct refine_system *s);
};

static inline int32_t refine_load(const struct refine_location *at, const uint8_t *state)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < at->width; i++)
        value |= (uint32_t)state[at->offset + i] << 8 * i;
    return (int32_t)value;
}

static inline void refine_store(const struct refine_location *at, uint8_t *state, int32_t value)
{
    for (unsigned i = 0; i < at->width; i++)
        state[at->offset + i] = (uint8_t)((uint32_t)value >> 8 * i);
}

#endif

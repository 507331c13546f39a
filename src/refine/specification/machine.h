/* SPDX-License-Identifier: Apache-2.0 */
/* The relaxed specification R, as sets of explanations (explanations.h) use it: an automaton whose states are short byte
 * strings and whose steps are whole operations with their answers. relaxed.c has the one for containers of
 * items that are all different, general.c that for any specification over a few given values, model_machine.c that for models.
 * Private to this folder. */
#ifndef REFINE_MACHINE_H
#define REFINE_MACHINE_H

#include "refine/refine.h"
#include "refine/system.h"

#include <string.h>

/* Renaming items, so that states that differ only in the names of items become one (canon.h says which names they get).
 *
 * Items of a system's state are numbered 1, 2, ... What another state refers to beside them and this one no longer holds is
 * a ghost: nothing that still happens can name it. Ghosts have numbers from GHOST on, in the order in which they are met. */
enum { RENAMING_GHOST = 128, RENAMING_ITEMS_MAX = RENAMING_GHOST - 1, RENAMING_SIZE = 256 };

struct renaming {
    uint8_t to[RENAMING_SIZE]; /* 0: it becomes a ghost */
    unsigned ghosts;
};

/* The new name; NONE, OK and FULL are no items. */
static inline uint8_t renaming_name(struct renaming *r, uint8_t item)
{
    if (item == REFINE_NONE || item >= REFINE_OK)
        return item;
    if (!r->to[item])
        r->to[item] = (uint8_t)(RENAMING_GHOST + r->ghosts++);
    return r->to[item];
}

/* Renames all items of a state. */
static inline void renaming_apply(const struct refine_system *s, uint8_t *state, struct renaming *r)
{
    for (uint32_t i = 0; i < s->location_count; i++) {
        const struct refine_location *at = &s->locations[i];
        int32_t item = at->is_data ? refine_load(at, state) : REFINE_NONE;
        if (item > REFINE_NONE && item < REFINE_OK)
            refine_store(at, state, renaming_name(r, (uint8_t)item));
    }
}

/* The smallest item that the state does not hold. */
static inline int32_t renaming_fresh(const struct refine_system *s, const uint8_t *state)
{
    bool used[RENAMING_SIZE] = {false};
    for (uint32_t i = 0; i < s->location_count; i++)
        if (s->locations[i].is_data)
            used[(uint8_t)refine_load(&s->locations[i], state)] = true;
    int32_t item = 1;
    while (used[item])
        item++;
    return item;
}

enum { MACHINE_ANY = -1, MACHINE_OPS_MAX = 64 };

/* What names of items mean, and so how they can be renamed. */
enum machine_names {
    MACHINE_FIXED,    /* as they are */
    MACHINE_BY_PLACE, /* nothing but equality: by the place where the system keeps them */
    MACHINE_BY_RANK,  /* their order: by rank */
};

/* An open operation that takes effect now. */
struct machine_call {
    uint8_t op, thread;
    uint8_t args[REFINE_ARGS_MAX];
    uint8_t arg_count;
    int32_t wanted;                     /* only this answer; MACHINE_ANY: every one */
    uint8_t coming[REFINE_THREADS_MAX]; /* items of open additions that have not taken effect */
    uint8_t coming_count;
    uint8_t unused_item; /* a name that occurs nowhere in the explanation */
};

struct machine_outcome {
    uint16_t answer;
    /* The answer is an item that is not added yet: call.unused_item stands for it */
    bool is_unborn;
    uint32_t start, length;
};

struct machine_outcomes {
    VEC(struct machine_outcome) list;
    VEC(uint8_t) bytes; /* the states after them */
    bool too_large;     /* a state did not fit */
};

struct machine {
    enum machine_names names;
    enum plumb_role roles[MACHINE_OPS_MAX];
    bool can_be_full[MACHINE_OPS_MAX]; /* of others the answer REFINE_FULL is just a number */
    bool thread_matters;
    bool has_unborn; /* outcomes may be unborn */
    /* The initial state; its length. */
    size_t (*initial)(struct machine *m, uint8_t *r);
    void (*act)(struct machine *m, const uint8_t *r, size_t length, const struct machine_call *call,
                struct machine_outcomes *out);
    /* Is the history explained as it stands, or would more of what is open have to take effect? */
    bool (*accepts)(struct machine *m, const uint8_t *r, size_t length);
    /* Does the operation ever answer that? */
    bool (*can_answer)(struct machine *m, uint8_t op, int32_t answer);
    /* BY_PLACE, BY_RANK: replaces every item of a state. */
    void (*rename)(const struct machine *m, uint8_t *r, size_t length, struct renaming *naming);
    size_t (*footprint)(const struct machine *m);
    void (*destroy)(struct machine *m);
};

enum { MACHINE_STATE_MAX = 800 };

static inline void machine_emit(struct machine_outcomes *out, uint16_t answer, bool is_unborn,
                                const uint8_t *r, size_t length)
{
    struct machine_outcome o = {answer, is_unborn, (uint32_t)out->bytes.len, (uint32_t)length};
    vec_reserve(&out->bytes, out->bytes.len + length);
    memcpy(out->bytes.data + out->bytes.len, r, length);
    out->bytes.len += length;
    vec_push(&out->list, o);
}

/* R for any specification, over values 1..N: the specification itself, relaxed by spec/quasi/spec_quasi.h, with its states
 * numbered. */
struct machine *general_new(const struct plumb_spec *spec, const struct refine_settings *settings);

/* R for containers whose items are all different: queue, stack and priority queue, with removals up to `factor` places
 * away from where they belong; and registers, which hold one item.
 * docs/internals/refine/refine.md has the construction. */
enum relaxed_order { RELAXED_QUEUE, RELAXED_STACK, RELAXED_PQUEUE, RELAXED_REGISTER };
enum { RELAXED_FACTOR_MOST = 100, RELAXED_ITEMS_MOST = 120 };

struct relaxed_settings {
    enum relaxed_order order;
    uint32_t factor;   /* K */
    uint32_t capacity; /* 0: unbounded */
    enum refine_full full;
    bool is_complete;                       /* reading C: nothing can be appended to a history */
    enum plumb_role roles[MACHINE_OPS_MAX]; /* of each operation: adds, removes, or looks */
};

struct machine *relaxed_new(const struct relaxed_settings *settings);

/* R for a specification that is a model itself, with items that are all different and renamed in it as in the system.
 * Null: the diagnostic says why items cannot be renamed. */
struct machine *model_machine_new(const struct refine_system *s, enum refine_full full, struct diagnostic *d);

/* A container that has room for so many items: a specification made from another one. At the end of its room an addition
 * answers "full" or waits. `base` stays in use. With REFINE_FULL_ANY additions only wait: "full" is allowed elsewhere. */
struct plumb_spec *bounded_new(const struct plumb_spec *base, uint32_t capacity, enum refine_full full);
void bounded_free(struct plumb_spec *spec);

/* Can the operation find no room? Those that are given something and answer "ok". */
bool bounded_can_be_full(const struct plumb_operation *op);

/* "Full" as these specifications answer it, and everything else as refine_answer says. */
plumb_value bounded_answer(struct plumb_values *values, const struct plumb_operation *op, int32_t value);

/* The other way round; negative: a model cannot answer that. */
int32_t bounded_number(const struct plumb_values *values, plumb_value answer);

#endif

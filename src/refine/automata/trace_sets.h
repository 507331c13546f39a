/* SPDX-License-Identifier: Apache-2.0 */
/* The specification of a trace refinement, made deterministic as it is followed: sets of states in which it can be after
 * the same calls and returns, closed under its internal steps. Private to this folder. */
#ifndef REFINE_TRACE_SETS_H
#define REFINE_TRACE_SETS_H

#include "refine/intern.h"
#include "refine/system.h"

/* A visible step as both systems see it. */
struct trace_label {
    uint8_t kind, thread, op; /* the operation of the specification */
    uint8_t arg_count;
    int32_t args[REFINE_ARGS_MAX];
    int32_t value;
};

struct trace_sets {
    const struct refine_system *spec;
    struct intern states, sets;
    VEC(uint32_t) members; /* of the set that is being made: states */
    VEC(uint32_t) marks;   /* of each state: the round in which it became a member */
    uint32_t round;
    struct refine_steps steps;
    uint8_t *scratch; /* a state */
    bool fails;       /* a member's step is a fault */
};

void trace_sets_init(struct trace_sets *s, const struct refine_system *spec);
void trace_sets_free(struct trace_sets *s);
size_t trace_sets_footprint(const struct trace_sets *s);

/* The members become the initial state and what internal steps lead to from there; those that the label leads to from
 * set number `set`, and their closure; that set. */
void trace_sets_start(struct trace_sets *s);
void trace_sets_follow(struct trace_sets *s, uint32_t set, const struct trace_label *l);
void trace_sets_load(struct trace_sets *s, uint32_t set);

/* Renames the items of all members, to[old], and those without a new name to ghosts (specification/machine.h). */
void trace_sets_rename(struct trace_sets *s, const uint8_t *to);

/* The number of the set of the members. */
uint32_t trace_sets_store(struct trace_sets *s);
bool trace_sets_is_subset(const struct trace_sets *s, uint32_t small, uint32_t large);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* States of relaxed specifications (spec_quasi.c), and what is owed in them. Private to this folder. */
#ifndef SPEC_QUASI_STATE_H
#define SPEC_QUASI_STATE_H

#include <plumb/spec.h>

#include "base/hash.h"
#include "base/vec.h"
#include "spec/quasi/spec_quasi.h"

struct quasi {
    struct plumb_spec spec; /* first: found by the pointer that users have */
    const struct plumb_spec *base;
    struct quasi_factor factor;
    struct plumb_operation *operations;
    VEC(struct plumb_call) calls; /* that q may choose from, each once */
    struct hash_map numbers;      /* of these, while they are collected */
    /* The base goes on with the next of a thread's calls: all of them, in order */
    bool by_thread;
    uint32_t threads;
    char *name;
};

/* Who has done the operation. */
enum side { SIDE_P, SIDE_Q };

struct debt {
    plumb_value arg, result; /* PLUMB_ANY: pending, may have answered anything of its class */
    uint32_t op, thread;
    uint32_t side_of_class; /* 2 * class + side */
    uint32_t age;
};

/* Debts are sorted by class and side, the oldest first: no two of those have the same age. */
struct quasi_state {
    const struct quasi *q;
    const struct plumb_values *values;
    void *base;
    VEC(struct debt) debts;
    uint32_t *done;           /* by_thread: how many calls of each thread q has done */
    struct plumb_call latest; /* what q did in the last step, with its result; no part of the state */
};

void *quasi_init(const struct plumb_spec *spec, const struct plumb_spec_options *options);
void quasi_destroy(void *state);
void *quasi_clone(const void *state);
uint64_t quasi_hash(const void *state);
bool quasi_equal(const void *a, const void *b);
size_t quasi_footprint(const void *state);
size_t quasi_print(const void *state, char *buffer, size_t size);

bool quasi_is_same_call(const struct quasi *q, const struct debt *d, const struct plumb_call *call);

/* The oldest one of that side with this result; its index, or debts.len. */
size_t quasi_find_debt(const struct quasi_state *s, uint32_t class, enum side side,
                       const struct plumb_call *call, plumb_value result);
void quasi_pay_debt(struct quasi_state *s, size_t i);
void quasi_add_debt(struct quasi_state *s, uint32_t class, enum side side, const struct plumb_call *call,
                    plumb_value result);
void quasi_age_debts(struct quasi_state *s, uint32_t class);

/* May the operation be appended? */
bool quasi_takes_away(const struct quasi *q, const struct debt *d);

/* At the end of a step: the next one of this class would come too late for a debt as old as the factor. */
bool quasi_is_too_late(const struct quasi_state *s, uint32_t class);

#endif

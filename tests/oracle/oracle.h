/* SPDX-License-Identifier: Apache-2.0 */
/* Decides small histories by trying every order: slow, and simple enough to be believed. It shares
 * nothing with the product but the representation of histories: the sequential meaning of every
 * built-in specification is written down a second time in oracle_specs.c. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include <plumb/value.h>

#include "history/history.h"

#define ORACLE_MAX 12 /* operations of a history */
#define ORACLE_ALL ((1u << ORACLE_MAX) - 1)

/* Any state of any specification; each uses the members it needs. Plain bytes: copied by assignment. */
struct oracle_state {
    uint32_t count; /* used items of key and value */
    uint32_t unused;
    int64_t number, limit;
    plumb_value untouched; /* what a cell nobody wrote to holds */
    plumb_value key[ORACLE_MAX], value[ORACLE_MAX];
};

/* One operation, with the number of its name (oracle_name). */
struct oracle_call {
    struct plumb_values *values;
    plumb_value arg, result; /* PLUMB_ANY: any result will do */
    int name;
    uint32_t thread;
};

struct oracle_spec {
    /* Of the product's, with a '+' at the end if operations on everything inside count, too. */
    const char *name;
    /* Exactly one of the two. Makes the call happen, whatever c->result says, and stores its answer; false
     * when the call has to wait. `any` does so for outcome number `choice`; false also when there is none. */
    bool (*one)(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer);
    bool (*any)(struct oracle_state *s, const struct oracle_call *c, unsigned choice, plumb_value *answer);
    int64_t number;    /* of the initial state, when no initial value is given */
    uint32_t capacity; /* additions to so many items answer false; 0: they never do, and answer nothing */
    bool weak;         /* what can fail may always do so, without effect */
};

/* Whichever of the two the specification has. After false the state is worth nothing. */
bool oracle_perform(const struct oracle_spec *spec, struct oracle_state *s, const struct oracle_call *c,
                    unsigned choice, plumb_value *answer);

const struct oracle_spec *oracle_find_spec(const char *name); /* or null */
extern const struct oracle_spec oracle_specs[];
extern const unsigned oracle_spec_count;

bool oracle_is(const struct oracle_spec *spec, const char *name); /* but for its parameters */
bool oracle_is_extended(const struct oracle_spec *spec);
/* Operations on everything inside; oracle_whole.c. */
bool oracle_is_whole(int name);
bool oracle_whole(const struct oracle_spec *spec, struct oracle_state *s, const struct oracle_call *c,
                  plumb_value *answer);
bool oracle_adds(int name);        /* to a sequence */
int oracle_name(const char *name); /* -1: no specification has it */

/* `initial` is PLUMB_OK when none is given. */
struct oracle_state oracle_start(const struct oracle_spec *spec, struct plumb_values *values,
                                 plumb_value initial);

/* A history taken apart. Must be prepared before the history is bound to the product's specifications. */
struct oracle {
    const struct oracle_spec *spec;
    plumb_value initial;
    uint32_t count;
    uint32_t completed; /* sets of operations, as bits */
    uint32_t before[ORACLE_MAX];
    uint32_t object[ORACLE_MAX];
    struct oracle_call calls[ORACLE_MAX];
};

/* False when the history is too long or has an operation no specification knows. */
bool oracle_prepare(struct oracle *o, const struct history *h, const struct oracle_spec *spec,
                    plumb_value initial);

/* Is the history, restricted to the operations in `members`, linearizable? Objects are judged one by one. */
bool oracle_linearizable(const struct oracle *o, uint32_t members);

/* Can the operations of `order` (numbers of one object's operations), in this order, be the beginning of
 * a legal sequence of the operations in `members`? */
bool oracle_allows(const struct oracle *o, uint32_t members, const uint32_t *order, uint32_t count);

#endif

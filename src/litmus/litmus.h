/* SPDX-License-Identifier: Apache-2.0 */
/* Litmus tests in the C format of herd7: a few threads of C11 atomics and a question about their final states.
 * docs/litmus.md says which part of the format is read. */
#ifndef LITMUS_LITMUS_H
#define LITMUS_LITMUS_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/text.h"
#include "litmus/program.h"

enum litmus_quantifier { LITMUS_EXISTS, LITMUS_NOT_EXISTS, LITMUS_FORALL };

/* What a final state gives a value to. */
struct litmus_place {
    int32_t thread;  /* of a register; -1: a location */
    uint32_t number; /* of the register or location */
    bool printed;    /* false: only the filter looks at it */
};

enum litmus_formula_kind {
    FORMULA_TRUE,
    FORMULA_FALSE,
    FORMULA_ATOM, /* the place has the value */
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_IMPLIES,
    FORMULA_NOT, /* left only */
};

struct litmus_formula {
    enum litmus_formula_kind kind;
    uint32_t left, right; /* formulas before this one */
    struct litmus_place place;
    int64_t value;
};

#define LITMUS_NO_FORMULA UINT32_MAX

struct litmus_test {
    struct arena names;
    const char *name;
    struct program program;
    bool has_plain_accesses; /* with ORDER_PLAIN: they may race */
    const char *locations[PROGRAM_LOCATIONS_MAX];
    const char *registers[PROGRAM_THREADS_MAX][PROGRAM_REGISTERS_MAX]; /* null: has no name */
    enum litmus_quantifier quantifier;
    VEC(struct litmus_formula) formulas;
    uint32_t condition, filter; /* formulas; there may be no filter */
    uint64_t condition_line;    /* where it begins; without one, where the test ends */
    VEC(struct litmus_place)
    observed; /* as herd7 orders them: registers by thread and name, then locations */
};

/* Reads a test; litmus_free it whatever the answer. False: *d says what is wrong (PL_LITMUS_SYNTAX) or what is
 * right but beyond this tool (PL_LITMUS_UNSUPPORTED), and where. */
bool litmus_parse(struct litmus_test *t, const char *bytes, size_t length, struct diagnostic *d);
bool litmus_read(struct litmus_test *t, const char *path, struct diagnostic *d);
void litmus_free(struct litmus_test *t);

const char *litmus_place_name(const struct litmus_test *t, struct litmus_place place);

/* Of a final state: the values of what is observed, in that order. */
bool litmus_holds(const struct litmus_test *t, uint32_t formula, const int64_t *state);

/* "0:r0=1", "[x]=1" */
void litmus_print_value(struct text *out, const struct litmus_test *t, struct litmus_place place,
                        int64_t value);
/* "exists (0:r0=0 /\ 1:r0=0)" */
void litmus_print_condition(struct text *out, const struct litmus_test *t);

#endif

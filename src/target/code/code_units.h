/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a program as compilers meant them: with their parts that stand elsewhere (.cold), and who calls whom. */
#ifndef TARGET_CODE_UNITS_H
#define TARGET_CODE_UNITS_H

#include "target/code/landing_pads.h"
#include "target/code/program_code.h"

struct code_unit {
    const struct code_function *function; /* where it is entered */
    const struct code_function *elsewhere;
    bool entered_elsewhere; /* in its middle, or it has more parts than that */
    bool has_atomics;       /* calls of atomic accesses, or other steps */
    bool leads_to_atomics;  /* or calls of functions that have */
};

struct code_call {
    uint32_t from, to; /* numbers of units */
};

struct code_units {
    struct program_code code;
    struct landing_pads pads;
    bool knows_pads;
    uint32_t *unit_of;          /* of each function of `code`, its unit */
    VEC(struct code_unit) list; /* one for each function; parts elsewhere have none of their own */
    VEC(struct code_call) calls;
};

/* Freed in any case. */
void code_units_open(struct code_units *u, const char *path);
void code_units_close(struct code_units *u);

/* The unit that is entered at the address; null: none. */
const struct code_unit *code_units_at(const struct code_units *u, uint64_t address);

#endif

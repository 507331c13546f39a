/* SPDX-License-Identifier: Apache-2.0 */
/* Endless rounds of one thread in which nothing changes. Private to this folder. */
#ifndef PROVE_ROUNDS_H
#define PROVE_ROUNDS_H

#include "prove/prove.h"

#include <ucontext.h>

enum prove_rounds {
    PROVE_ROUNDS_NONE, /* not watched: the trap is the program's own */
    PROVE_ROUNDS_GO_ON,
    PROVE_ROUNDS_ENDLESS,
    PROVE_ROUNDS_UNKNOWN,
};

/* The code at `c` is watched from now on, one trap for each instruction. */
void prove_rounds_begin(ucontext_t *c);
enum prove_rounds prove_rounds_trap(const ucontext_t *c);
void prove_rounds_end(ucontext_t *c);

/* The outcome of an endless round. */
enum prove_outcome prove_rounds_fault(void);

/* Does the present state come again? `go_on` goes to the next hook; false: that ends the round. If the round reads variables that no thread has
 * written yet, they are taken for written, and the answer is no: the search begins again, and such reads are steps. */
bool prove_rounds_by_forms(bool (*go_on)(void *), void *context);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A part without what keeps fast algorithms away: failures of weak operations, answers that it is full, questions about everything
 * inside, a capacity. What is left is violated only if the whole is; a legal order of it leads to one of the whole, or may.
 * docs/internals/histories/specifications.md. */
#ifndef MONITOR_SIMPLER_H
#define MONITOR_SIMPLER_H

#include "monitor/decider_tools.h"

struct simpler {
    struct part part; /* with the specification without parameters */
    uint32_t *kept;   /* its operations, in the whole */
    /* Left out, as they are legal in every state and have no effect; in the order of calls */
    VEC(struct extra) anywhere;
    bool is_exact; /* nothing else was left out */
};

/* False: nothing is known about what would be left. Otherwise to be freed. */
bool simpler_make(const struct part *p, struct simpler *s);
void simpler_free(struct simpler *s);

/* Makes a legal order of what is left, in d->witness, one of the whole part `p`. False: none was found, and the witness is
 * empty; that says nothing about the whole. */
bool simpler_extend(const struct part *p, const struct simpler *s, struct budget *budget, struct decision *d);

#endif

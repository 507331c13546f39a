/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread calls what, how often, with which arguments, and what is looked at in the end. */
#ifndef STRESS_PLAN_H
#define STRESS_PLAN_H

#include "native/stress_shared.h"
#include "stress/stress_harness.h"

struct stress_wishes {
    uint32_t threads; /* 0: as many as there are processors */
    uint32_t keys;
    uint32_t noise;
    uint32_t stamps;     /* enum stamps of record/stamps.h */
    const char *mix;     /* "enq=3,deq=2", or null */
    const char *init;    /* JSON, or null */
    uint32_t final_most; /* removals in the end */
};

struct stress_notes {
    VEC(char *) list; /* sentences for the user */
};

/* Fills in all of the plan for rounds of up to `threads` threads, which may be fewer than wished: those for which there is a role.
 * False: *d says what is wrong. */
bool stress_plan_make(struct stress_plan *plan, struct stress_harness *h, const struct stress_wishes *wishes,
                      uint32_t *threads, struct stress_notes *notes, struct diagnostic *d);

/* How many different elements containers can have, if their type has so few that they repeat in long rounds; 0: enough. */
uint32_t stress_plan_values(const struct stress_harness *h);

uint32_t stress_count_roles(const struct stress_harness *h);

void stress_note(struct stress_notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
void stress_notes_free(struct stress_notes *n);

/* --- parts of it --- */

/* A weight for each operation, of whichever thread. */
bool stress_mix_find(uint32_t *weights, struct stress_plan *plan, struct stress_harness *h,
                     const struct stress_wishes *wishes, struct stress_notes *notes, struct diagnostic *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* How nodes were reached: steps that share their beginnings. */
#ifndef MONITOR_QUASI_TRAIL_H
#define MONITOR_QUASI_TRAIL_H

#include "base/vec.h"

#define TRAIL_START UINT32_MAX

struct trail_step {
    uint32_t before; /* TRAIL_START: the first */
    uint32_t op;     /* acts; QUASI_NONE: the removal of `value` is appended */
    uint32_t value;  /* p removes it (appended only) */
    uint32_t pick;   /* q removes it; QUASI_NONE: nothing */
};

struct quasi_trail {
    VEC(struct trail_step) steps;
    size_t next_collection;
};

static inline uint32_t trail_add(struct quasi_trail *t, struct trail_step step)
{
    vec_push(&t->steps, step);
    return (uint32_t)(t->steps.len - 1);
}

/* Forgets steps that lead to none of the ends, which are updated. */
void trail_collect(struct quasi_trail *t, uint32_t *ends, size_t count);

static inline void trail_free(struct quasi_trail *t)
{
    vec_free(&t->steps);
}

#endif

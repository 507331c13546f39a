/* SPDX-License-Identifier: Apache-2.0 */
/* What the harness asks for. Private to this folder. */
#ifndef PROVE_HARNESS_H
#define PROVE_HARNESS_H

#include "base/vec.h"
#include "prove/prove.h"

#include <plumb/spec.h>

struct prove_harness {
    const struct plumb_spec *spec;
    uint32_t capacity; /* 0: none */
    uint32_t free_values;
    bool is_wide;                      /* all arguments have 64 bits */
    uint32_t role_count, single_roles; /* roles are numbered from 0; those for one thread */
};
extern struct prove_harness prove_harness __attribute__((visibility("hidden")));

struct plumb_values *prove_values(void);
/* +1: the operation adds an item, -1: it takes one out. */
int prove_count_of(const struct plumb_operation *op);
/* Has the object no operation that may wait? One with a bound may wait for room. */
bool prove_never_waits(void);

#endif

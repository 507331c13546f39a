/* SPDX-License-Identifier: Apache-2.0 */
/* Transition systems in Aldebaran form (.aut): `des (0, transitions, states)`, then `(from, "label", to)`. Labels of
 * calls and returns are `T0 call enq(1)` and `T0 return enq = ok` (docs/models.md); everything else, and `tau` and `i`, is an
 * internal step. */
#ifndef REFINE_AUT_H
#define REFINE_AUT_H

#include "base/budget.h"
#include "base/diagnostic.h"
#include "refine/refine.h"
#include "refine/system.h"

#include <stdio.h>

/* Null: the diagnostic says where and why. */
struct refine_system *aut_load(const char *path, struct diagnostic *d);

/* Writes all reachable states, arguments from 1..free_values. False: a limit was met (more states than `most`), or the
 * file cannot be written. */
bool aut_export(const struct refine_system *s, uint32_t free_values, uint64_t most, FILE *out,
                struct diagnostic *d);

/* A sequential specification as a concurrent system: threads call operations, each takes effect in one internal step, and
 * they return. Its calls and returns are exactly the (quasi) linearizable histories, so trace refinement against it is
 * another way to the answers of refine/refine.h, for values 1..N. States are met as they are needed and never forgotten. */
struct refine_object_settings {
    const struct plumb_spec *spec;
    const struct refine_system *spec_system; /* or a model of one sequential process */
    const char *quasi;
    uint32_t capacity; /* 0: unbounded */
    enum refine_full full;
    const struct refine_system *model; /* whose threads and operations it has */
    uint32_t free_values;
};

/* Not for several OS threads. Null: the diagnostic says why. */
struct refine_system *refine_object_new(const struct refine_object_settings *settings, struct diagnostic *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A sequential specification as a concurrent system: threads call operations, each takes effect in one internal step, and
 * they return. Its calls and returns are exactly the (quasi) linearizable histories, so trace refinement against it is
 * another way to the answers of refine/refine.h, for values 1..N. States are met as they are needed and never forgotten. */
#ifndef REFINE_OBJECT_H
#define REFINE_OBJECT_H

#include "refine/refine.h"

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

/* SPDX-License-Identifier: Apache-2.0 */
/* Transition systems in Aldebaran form (.aut): `des (0, transitions, states)`, then `(from, "label", to)`. Labels of
 * calls and returns are `T0 call enq(1)` and `T0 return enq = ok` (docs/models.md); everything else, and `tau` and `i`, is an
 * internal step. */
#ifndef REFINE_AUT_H
#define REFINE_AUT_H

#include "base/budget.h"
#include "base/diagnostic.h"
#include "refine/system.h"

#include <stdio.h>

/* Null: the diagnostic says where and why. */
struct refine_system *aut_load(const char *path, struct diagnostic *d);

/* Writes all reachable states, arguments from 1..free_values. False: a limit was met (more states than `most`), or the
 * file cannot be written. */
bool aut_export(const struct refine_system *s, uint32_t free_values, uint64_t most, FILE *out,
                struct diagnostic *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A model that is one process, as a sequential specification: an operation is its call, everything up to the return, and
 * the return. Private to this folder. */
#ifndef REFINE_MODEL_SPEC_H
#define REFINE_MODEL_SPEC_H

#include <plumb/spec.h>

#include "refine/system.h"

/* The system stays in use. */
struct plumb_spec *model_spec_new(const struct refine_system *s);
void model_spec_free(struct plumb_spec *spec);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A model that is one process, as a specification like the built-in ones. Private to this folder. */
#ifndef REFINE_MODEL_SPEC_H
#define REFINE_MODEL_SPEC_H

#include <plumb/spec.h>

#include "refine/system.h"

/* The system stays in use. */
struct plumb_spec *model_spec_new(const struct refine_system *s);
/* Why answers of the specification could not be trusted: its model is wrong, or too large. Null: they could. */
const char *model_spec_problem(const struct plumb_spec *spec);

void model_spec_free(struct plumb_spec *spec);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* R for a specification that is a model itself, with items that are all different and renamed in it as in the system.
 * Private to this folder. */
#ifndef REFINE_MODEL_MACHINE_H
#define REFINE_MODEL_MACHINE_H

#include "refine/specification/machine.h"
#include "refine/refine.h"

/* Null: the diagnostic says why items cannot be renamed. */
struct machine *model_machine_new(const struct refine_system *s, enum refine_full full, struct diagnostic *d);

#endif

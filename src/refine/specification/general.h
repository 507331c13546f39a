/* SPDX-License-Identifier: Apache-2.0 */
/* R for any specification, over values 1..N: the specification itself, relaxed by spec/quasi/spec_quasi.h, with its states
 * numbered. Private to this folder. */
#ifndef REFINE_GENERAL_H
#define REFINE_GENERAL_H

#include "refine/specification/machine.h"
#include "refine/refine.h"

struct machine *general_new(const struct plumb_spec *spec, const struct refine_settings *settings);

#endif

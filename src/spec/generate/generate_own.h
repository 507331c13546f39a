/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic histories of specifications that nobody made a plan for (spec/generate/generate_plan.h): calls at random, by the
 * letters of the operations. */
#ifndef SPEC_GENERATE_OWN_H
#define SPEC_GENERATE_OWN_H

#include "spec/generate/generate.h"

/* As generate_history, of any specification; `keys` and `broken` mean nothing here. False: all threads wait for ever. */
bool generate_own_history(const struct plumb_spec *spec, const struct generate_settings *settings, FILE *out);

#endif

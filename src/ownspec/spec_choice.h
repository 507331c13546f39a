/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications as the command line names them. */
#ifndef OWNSPEC_SPEC_CHOICE_H
#define OWNSPEC_SPEC_CHOICE_H

#include "spec/registry.h"

/* The specification called `name`, or the one of this C file, which has been loaded (ownspec/guard.h); null and a diagnostic that helps to find the right name. */
const struct plumb_spec *spec_choice_find(const char *name, struct diagnostic *d);

#endif

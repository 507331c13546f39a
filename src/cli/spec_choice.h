/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications as the command line names them. */
#ifndef CLI_SPEC_CHOICE_H
#define CLI_SPEC_CHOICE_H

#include "spec/registry.h"

/* The specification called `name`, or the one of this C file, which has been loaded (cli/spec_guard.h); null and a diagnostic that helps to find the right name. */
const struct plumb_spec *spec_choice_find(const char *name, struct diagnostic *d);

/* The value that `--init json` means, whatever the specification. */
bool spec_choice_scan_initial(const char *json, struct plumb_values *values, plumb_value *out,
                              struct diagnostic *d);

/* The same for `spec`, which has to take it. */
bool spec_choice_initial(const struct plumb_spec *spec, const char *json, struct plumb_values *values,
                         plumb_value *out, struct diagnostic *d);

#endif

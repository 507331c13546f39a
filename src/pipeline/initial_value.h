/* SPDX-License-Identifier: Apache-2.0 */
/* Initial values of objects, as users write them. */
#ifndef PIPELINE_INITIAL_VALUE_H
#define PIPELINE_INITIAL_VALUE_H

#include <plumb/spec.h>

#include "base/diagnostic.h"

/* The value that `--init json` means, whatever the specification. */
bool initial_value_scan(const char *json, struct plumb_values *values, plumb_value *out,
                        struct diagnostic *d);

/* The same for `spec`, which has to take it. */
bool initial_value_read(const struct plumb_spec *spec, const char *json, struct plumb_values *values,
                        plumb_value *out, struct diagnostic *d);

#endif

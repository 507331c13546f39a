/* SPDX-License-Identifier: Apache-2.0 */
/* Other names that people have for operations of the built-in specifications. */
#ifndef SPEC_ALIASES_H
#define SPEC_ALIASES_H

#include <plumb/spec.h>

#include "base/text.h"

/* Number of the operation with this name or, if there is none, of the one that has it as another name; UINT32_MAX: there is none,
 * or there are several. */
uint32_t spec_operation_meant(const struct plumb_spec *spec, const char *name);

/* "push_front or push_back": the operations that have this other name, if there are several. Returns whether there are. */
bool spec_alias_is_ambiguous(const struct plumb_spec *spec, const char *name, struct text *operations);

#endif

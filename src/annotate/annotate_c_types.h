/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANNOTATE_C_TYPES_H
#define ANNOTATE_C_TYPES_H

#include "annotate/annotate_unit.h"

/* Is its size the value of the parameter `name`, or of any? "int a[n][m]" has m; n is not used. */
bool c_is_sized_by(const struct unit *u, const struct parameter *p, const char *name);
bool c_is_sized_by_any(const struct unit *u, const struct function *f, const struct parameter *p);

/* Its declaration as a variable, "int (*a)[4]"; and as one outside of the function. */
const char *c_variable_text(struct unit *u, const struct parameter *p);
const char *c_member_text(struct unit *u, const struct function *f, const struct parameter *p);

/* The type of a variable for the result. */
const char *c_result_text(struct unit *u, const struct function *f);
bool c_is_void(struct unit *u, const struct function *f);
bool c_returns_pointer(const struct unit *u, const struct function *f);

#endif

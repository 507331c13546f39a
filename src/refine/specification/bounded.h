/* SPDX-License-Identifier: Apache-2.0 */
/* A container that has room for so many items: a specification made from another one. At the end of its room an addition
 * answers "full" or waits. Private to this folder. */
#ifndef REFINE_BOUNDED_H
#define REFINE_BOUNDED_H

#include "refine/refine.h"

/* `base` stays in use. With REFINE_FULL_ANY additions only wait: "full" is allowed elsewhere. */
struct plumb_spec *bounded_new(const struct plumb_spec *base, uint32_t capacity, enum refine_full full);
void bounded_free(struct plumb_spec *spec);

/* Can the operation find no room? Those that are given something and answer "ok". */
bool bounded_can_be_full(const struct plumb_operation *op);

/* "Full" as these specifications answer it, and everything else as refine_answer tells. */
plumb_value bounded_answer(struct plumb_values *values, const struct plumb_operation *op, int32_t value);

/* The other way round; negative: a model cannot answer that. */
int32_t bounded_number(const struct plumb_values *values, plumb_value answer);

#endif

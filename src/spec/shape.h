/* SPDX-License-Identifier: Apache-2.0 */
/* Do the argument and result of a recorded operation have the kind its
 * specification describes (the letters of struct plumb_operation)? */
#ifndef SPEC_SHAPE_H
#define SPEC_SHAPE_H

#include <plumb/spec.h>

#include "base/text.h"
#include "history/history.h"

bool shape_arg_fits(const struct plumb_values *values, const struct plumb_operation *o, plumb_value arg);
bool shape_result_fits(const struct plumb_operation *o, const struct history_op *op);

static inline bool shape_fits(const struct plumb_values *values, const struct plumb_operation *o,
                              const struct history_op *op)
{
    return shape_arg_fits(values, o, op->arg) && shape_result_fits(o, op);
}

/* Says why `op`, which does not fit, does not. */
void shape_explain(struct text *out, const struct plumb_values *values, const struct plumb_operation *o,
                   const struct history_op *op);

/* A name from the input, made harmless and short. */
void shape_print_name(struct text *out, const char *name);

#endif

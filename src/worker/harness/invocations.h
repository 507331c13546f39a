/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that generated tests are made of, as text: those that the harness names (PLUMB_TRY), else one of each
 * operation. */
#ifndef WORKER_INVOCATIONS_H
#define WORKER_INVOCATIONS_H

#include "base/text.h"
#include "harness/matrix.h"

/* A line for each; PROTOCOL_ANY_ARGUMENT and its like stand for arguments that were not named. `tries`: the PLUMB_TRY
 * parts; `spec_of` returns the specification that an operation is judged by, or "". */
void invocations_list(struct text *out, const struct matrix_vocabulary *operations,
                      const struct plumb_part *const *tries, size_t try_count,
                      const char *(*spec_of)(const struct plumb_part *), struct plumb_values *values);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the file that spec/serial/observations.h describes. */
#ifndef SPEC_OBSERVATIONS_TEXT_H
#define SPEC_OBSERVATIONS_TEXT_H

#include "base/text.h"
#include "spec/serial/serial.h"

/* "init", "A", "B", ... */
void observations_add_thread_name(struct text *out, uint32_t name);

/* One line. `answer`: PLUMB_ANY of one that waits. */
void observations_add_op(struct text *out, const struct plumb_values *values, uint32_t number,
                         const struct serial_op *op, plumb_value answer);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of a run: those with the same cause together, each confirmed, told in its best order and saved. */
#ifndef CLI_CHECK_ERRORS_H
#define CLI_CHECK_ERRORS_H

#include "cli/check.h"

/* What the workers found, confirmed as far as that is possible. `start`: base_now() when the run began. */
void check_errors_collect(struct check *c, double start);

/* Writes the traces of those that were confirmed. */
void check_errors_save(struct check *c);

void check_errors_free(struct check *c);

#endif

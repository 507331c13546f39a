/* SPDX-License-Identifier: Apache-2.0 */
/* A harness, a test or a program that could not be run: what is wrong with it, and where. */
#ifndef CLI_CHECK_UNFIT_H
#define CLI_CHECK_UNFIT_H

#include "base/diagnostic.h"
#include "cli/command.h"
#include "target/target.h"

/* What the worker that ended with TARGET_UNFIT said. `name`: the file to name when it said nothing about the place. */
void check_unfit(struct diagnostic *out, const char *name, const struct target_worker *worker);

/* The exit code that goes with it, or with a program that could not be built. */
enum cli_exit check_unfit_exit(const struct diagnostic *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Under sc an execution is an interleaving, too: where graphs have no answer, or a bound is one of interleavings, these
 * are searched instead. */
#ifndef CLI_CHECK_INTERLEAVE_H
#define CLI_CHECK_INTERLEAVE_H

#include "cli/check_run.h"

/* After check_run: did the exploration of graphs meet something that only interleavings can do? Then they are run, with
 * what is left of the time, and the options, workers and result are theirs. `*why` becomes the reason for running
 * interleavings, now or before; the caller frees it. */
enum cli_exit check_interleave_if_needed(const struct target_program *program, struct check_options *options,
                                         double start, struct target_worker **workers,
                                         struct check_result *result, char **why);

/* --preemptions, which is a bound of interleavings: other memory models and options for graphs make no sense with it. */
enum cli_exit check_interleave_bounded(struct check_options *options);

#endif

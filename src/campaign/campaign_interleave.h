/* SPDX-License-Identifier: Apache-2.0 */
/* Under sc an execution is an interleaving, too: where graphs have no answer, or a bound is one of interleavings, these
 * are searched instead. */
#ifndef CAMPAIGN_CAMPAIGN_INTERLEAVE_H
#define CAMPAIGN_CAMPAIGN_INTERLEAVE_H

#include "campaign/campaign_run.h"

/* After campaign_run: did the exploration of graphs meet something that only interleavings can do? Then they are run, with
 * what is left of the time, and the options, workers and result are theirs. `*reason` becomes that for running
 * interleavings, now or before; the caller frees it. False: they could not be run. */
bool campaign_interleave_if_needed(const struct target_program *program, struct campaign_options *options,
                                   double start, struct target_worker **workers,
                                   struct campaign_result *result, char **reason, struct diagnostic *why);

/* --preemptions, which is a bound of interleavings: other memory models and options for graphs make no sense with it. */
bool campaign_interleave_bounded(struct campaign_options *options, struct diagnostic *why);

#endif

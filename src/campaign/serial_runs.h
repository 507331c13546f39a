/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications that are serial histories of a test: from worker to tool, and from a golden implementation to
 * the workers of another. */
#ifndef CAMPAIGN_SERIAL_RUNS_H
#define CAMPAIGN_SERIAL_RUNS_H

#include "campaign/campaign_options.h"
#include "history/history.h"
#include "target/target.h"

#include <plumb/spec.h>

/* Which implementation is the specification, if it is not the one under test. Both null: that one is. */
struct golden {
    const char *file;   /* another file, with a harness of the same operations */
    const char *define; /* the same files, compiled with this macro: "K=0" */
};

/* A worker with this configuration tells the tool its serial histories, if it has any. */
void serial_runs_ask(struct worker_config *config);

/* The specification that they are, for a history of the same test. Null: *d says why. */
const struct plumb_spec *serial_runs_spec(const struct worker_config *config, struct history *h,
                                          struct diagnostic *d);

/* The golden implementation, from the files and flags of the one under test. Null: *why says why. */
struct target_program *golden_build(const struct golden *golden, const struct target_source *source,
                                    struct diagnostic *why);

/* Runs the test of `config` serially in it. The outcome is written to config->serials_out, which is chosen if it is empty, and
 * becomes config->serials_in. False: *why says why. */
bool golden_run(const struct target_program *golden, struct worker_config *config, struct diagnostic *why);

/* Both, for one test. */
bool golden_serial_runs(const struct golden *golden, const struct target_source *source,
                        struct worker_config *config, struct diagnostic *why);

/* The test that the harness names itself (PLUMB_TEST), or "". `name`: of the program. False: it could not be asked. */
bool campaign_own_test(const struct target_program *program, const struct campaign_options *options,
                       const char *name, char test[static PROTOCOL_TEST], struct diagnostic *why);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that use a specification from a C file are done by a child as a whole (ownspec/guard.h); what that comes to as
 * messages and an exit code. */
#ifndef CLI_SPEC_GUARD_H
#define CLI_SPEC_GUARD_H

#include "cli/common/command.h"
#include "ownspec/guard.h"

struct spec_guarded {
    const char *spec; /* as the user wrote it */
    double time;      /* --time; 0: no limit */
    enum cli_exit (*run)(void *context);
    void *context;
    /* Without a child: for what needs the terminal, and does not decide anything itself */
    bool here;
};

/* Runs it; in a child with the specification added (spec/registry.h) when that is a C file. The answer of `run`, or
 * after a message: EXIT_USAGE when the specification breaks a law, EXIT_CANNOT_RUN when it does not build, crashes or
 * does not come back, EXIT_INCONCLUSIVE when that used up all the time. What `run` changed in memory is lost. */
enum cli_exit spec_guard_run(const struct spec_guarded *guarded);

#endif

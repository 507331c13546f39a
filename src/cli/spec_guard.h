/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that use a specification from a C file. It is the user's code: it may crash, or not come back. So all of such
 * a command is done by a child, which compiles the file, loads it and tries its laws first; the tool only watches. */
#ifndef CLI_SPEC_GUARD_H
#define CLI_SPEC_GUARD_H

#include "cli/command.h"

/* Does `--spec spec` name a C file? Null does not. */
bool spec_guard_is_file(const char *spec);

struct spec_guarded {
    const char *spec; /* as the user wrote it */
    double time;      /* --time; 0: no limit */
    enum cli_exit (*run)(void *context);
    void *context;
    bool here; /* without a child: for what needs the terminal, and does not decide anything itself */
};

/* Runs it; in a child with the specification added (spec/registry.h) when that is a C file. The answer of `run`, or
 * after a message: EXIT_USAGE when the specification breaks a law, EXIT_CANNOT_RUN when it does not build, crashes or
 * does not come back, EXIT_INCONCLUSIVE when that used up all the time. What `run` changed in memory is lost. */
enum cli_exit spec_guard_run(const struct spec_guarded *guarded);

/* For `run`: from now on it is about this input, and has so many seconds (0: no limit). `behind` others follow, and those
 * before came to `exit`: this counts, too, if the child does not get any further. */
void spec_guard_begin(const char *input, double seconds, size_t behind, enum cli_exit exit);

/* For `run`: what the C file was compiled to; null when there is none. */
const char *spec_guard_library(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What `plumb refine` found, for the terminal and as documents. */
#ifndef CLI_REFINE_RESULTS_H
#define CLI_REFINE_RESULTS_H

#include "cli/refine/refine_options.h"
#include "explain/model/explain_model.h"

struct refine_run {
    struct refine_options options;
    const char *path;
    struct refine_system *model, *spec_system;
    const struct plumb_spec *spec;
    struct refine_result result;
    struct refine_outcome outcome; /* for reports */
    struct explained_model found;  /* of a violation */
    struct text command;           /* that shows this again */
    bool shows_progress;
    double started;
};

/* Is it a file of transitions that are written out, and no model? */
bool refine_is_automaton(const char *path);

/* Prints the result and writes what the options ask for. */
enum cli_exit refine_report(struct refine_run *run);

#endif

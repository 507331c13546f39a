/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `plumb prove`. */
#ifndef CLI_PROVE_OPTIONS_H
#define CLI_PROVE_OPTIONS_H

#include "cli/common/command.h"
#include "cli/common/report_files.h"
#include "proving/proving.h"

enum { PROVE_INSIDE_MOST = 40 };

struct prove_options {
    const char *spec, *quasi, *golden, *golden_define, *shift, *forget, *json, *trace, *out, *cc, *cxx;
    struct report_paths files;
    uint64_t threads, inside, values, distance, shift_by, stale, memory_limit;
    double time;
    int memory, color;
    bool no_twins, no_symmetry, no_liveness, no_merging, plain, quiet, verbose, sandbox;
};

struct prove_command {
    struct prove_options options;
    struct operand_list files;
    struct proving proving;
    bool shows_progress;
};

/* Do they go together? EXIT_USAGE: after a diagnostic. */
enum cli_exit prove_options_fit(const struct prove_options *o);

/* Prints the result and writes what the options ask for. */
enum cli_exit prove_report(struct prove_command *c);

#endif

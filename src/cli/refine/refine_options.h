/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `plumb refine`. */
#ifndef CLI_REFINE_OPTIONS_H
#define CLI_REFINE_OPTIONS_H

#include "cli/common/command.h"
#include "cli/common/report_files.h"
#include "refine/refine.h"

struct refine_options {
    const char *spec, *quasi, *values, *json, *out, *export_aut, *export_spec;
    struct report_paths files;
    struct operand_list defines;
    uint64_t capacity, threads, jobs, memory_limit;
    double time;
    int full, reading, color;
    bool trace, deadlock, exact, quiet, verbose;
    uint32_t free_values; /* not an option: what --values says; 0: distinct */
};

/* Do they go together? Understands --values. EXIT_USAGE: after a diagnostic. */
enum cli_exit refine_options_fit(struct refine_options *o);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `plumb monitor`. */
#ifndef CLI_MONITOR_OPTIONS_H
#define CLI_MONITOR_OPTIONS_H

#include "cli/common/report_files.h"
#include "pipeline/pipeline.h"

struct monitor_options {
    const char *spec, *json, *out;
    struct report_paths files;
    const char *format, *jepsen;
    struct pipeline_question question;
    int color;
    bool quiet, verbose;
    uint64_t jobs;
    struct monitor_helpers helpers; /* question.helpers, if there are to be several */
};

/* monitor_jobs.c: `jobs` processes. */
struct monitor_helpers monitor_processes(uint32_t jobs);

/* The command that judges this input again, in the arena. */
const char *monitor_replay(const struct pipeline_input *in, const struct monitor_options *options,
                           struct arena *arena);

#endif

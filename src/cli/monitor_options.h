/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `plumb monitor`. */
#ifndef CLI_MONITOR_OPTIONS_H
#define CLI_MONITOR_OPTIONS_H

#include "base/diagnostic.h"
#include "cli/report_files.h"
#include "formats/formats.h"

#include <stdbool.h>
#include <stdint.h>

struct history;
struct plumb_spec;

struct monitor_options {
    const char *spec, *init, *json;
    struct report_paths files;
    bool keep_witnesses;                  /* not an option */
    const char *format, *jepsen;          /* as the user wrote them */
    struct format_options format_options; /* what they mean */
    const char *quasi;                    /* factor; null: linearizability */
    const char *quasi_min;                /* class whose smallest factor is wanted, or null */
    int reading;           /* 0: more removals may follow (cc); 1: histories are complete (c) */
    double time;           /* 0: no limit */
    uint64_t memory_limit; /* 0: no limit */
    int color;
    double heartbeat; /* seconds between lines about a stream */
    bool quiet, verbose, explain;
    /* Not an option: the specification, found when the history has been read; or null. */
    const struct plumb_spec *(*find_spec)(const void *context, struct history *h, struct diagnostic *d);
    const void *find_context;
};

#endif

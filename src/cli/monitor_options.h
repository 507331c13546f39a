/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `plumb monitor`. */
#ifndef CLI_MONITOR_OPTIONS_H
#define CLI_MONITOR_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct monitor_options {
    const char *spec, *init, *json;
    double time;           /* 0: no limit */
    uint64_t memory_limit; /* 0: no limit */
    int color;
    bool quiet, verbose;
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Where a history ceases to be linearizable. */
#ifndef MONITOR_EARLIEST_H
#define MONITOR_EARLIEST_H

#include "monitor/monitor.h"

struct monitor_moment {
    uint32_t guilty;     /* the operation whose return made the history illegal (index into it) */
    uint32_t last;       /* the operation of the last event before that; UINT32_MAX: there is none */
    bool last_is_return; /* that event was its return; else its call */
    bool certain;        /* no longer part of the history is legal; else not all of them were tried */
};

/* Finds the last event up to which the bound history `h`, which is violated, is legal, with operations that have not
 * returned by then as pending. False: a limit was met on the way. */
bool monitor_earliest(const struct history *h, const struct monitor_settings *settings,
                      struct monitor_moment *out);

#endif

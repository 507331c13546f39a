/* SPDX-License-Identifier: Apache-2.0 */
/* A container from which one value comes out more often than it was put in. */
#ifndef MONITOR_SHORTAGE_H
#define MONITOR_SHORTAGE_H

#include "monitor/part.h"

struct shortage {
    uint32_t removed, added; /* by the time `removal` returned: the additions count when they are called */
    uint32_t removal;
};

/* Counts in a part of a container in which all operations add or remove the same value, and all removals returned. False:
 * it is none, or nothing is missing. *out starts as zeros. */
bool shortage_find(const struct part *p, struct shortage *out);

#endif

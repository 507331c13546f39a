/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that do not make use of what sets their specification apart from a plainer one, which fast algorithms know. */
#ifndef MONITOR_PLAIN_H
#define MONITOR_PLAIN_H

#include "monitor/part.h"

/* The plainest specification that has the same legal sequences of operations of `p`, with their answers, and the same numbers of
 * operations: without a capacity that could not be reached, and exact where nothing failed. */
const struct plumb_spec *plain_spec(const struct part *p);

#endif

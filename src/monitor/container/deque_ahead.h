/* SPDX-License-Identifier: Apache-2.0 */
/* A deque that knows at which end each value will leave, and when. It refuses to add one beside another if they could not both leave
 * then. Whole legal orders are the same as those of the plain deque; beginnings that lead nowhere end sooner, and the general search
 * keeps few states where the plain one has one for each order of additions that overlap. */
#ifndef MONITOR_DEQUE_AHEAD_H
#define MONITOR_DEQUE_AHEAD_H

#include "monitor/container/container.h"

struct deque_ahead;
struct deque_ahead *deque_ahead_make(const struct container *c);
void deque_ahead_free(struct deque_ahead *a);

/* For parts of the container's operations on values; has the operations of its specification. It is the container's own if some value
 * comes again. */
const struct plumb_spec *deque_ahead_spec(const struct deque_ahead *a);

#endif

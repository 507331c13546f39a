/* SPDX-License-Identifier: Apache-2.0 */
/* A deque stays legal when values are left out, and what is impossible mostly is so among a few values that come, or go, one after the
 * other: that is found soon, where a search of all orders of the whole would not end. */
#ifndef MONITOR_DEQUE_NEAR_H
#define MONITOR_DEQUE_NEAR_H

#include "monitor/container/container.h"

/* `p` has operations of c's values, of which ops[i] is number i there. True: some values that are near each other are impossible together,
 * and all their operations are in d->core. */
bool deque_find_near(const struct container *c, const struct part *p, const uint32_t *ops,
                     const struct budget *budget, struct decision *d);

#endif

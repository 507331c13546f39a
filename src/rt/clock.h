/* SPDX-License-Identifier: Apache-2.0 */
/* Time inside an execution: a function of what the threads did, not of the machine. */
#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include <time.h>

/* It is later than `until` now. */
void clock_pass(clockid_t clock, const struct timespec *until);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Time inside an execution: a function of what the threads did, not of the machine. */
#ifndef RT_CLOCK_H
#define RT_CLOCK_H

#include <stdbool.h>
#include <time.h>

/* It is later than `until` now. */
void clock_pass(clockid_t clock, const struct timespec *until);

/* Executions begin at another time of day: what the program answers should be the same, unless it is about time. */
void clock_shift(bool on);

/* Who looked at a clock first; null: no thread ever did. */
struct clock_look {
    const char *function;
    const void *pc;
};
struct clock_look clock_first_look(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The bound of --loops: how often a thread may come to the same step of the program in one execution. */
#ifndef ENGINE_LOOPS_H
#define ENGINE_LOOPS_H

#include <stdbool.h>

/* The current thread has come to its next step. True: for the last time, it goes no further. */
bool loops_met_bound(void);

void loops_reset(void); /* a new execution */

#endif

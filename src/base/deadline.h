/* SPDX-License-Identifier: Apache-2.0 */
/* When the whole command has to have ended (--time), whatever it is doing then. One for the process. */
#ifndef BASE_DEADLINE_H
#define BASE_DEADLINE_H

#include <stdbool.h>

/* In so many seconds; 0: never. */
void deadline_set(double seconds);

bool deadline_passed(void);
/* Seconds until then, at least 0; infinite where there is no deadline. */
double deadline_left(void);

/* For what follows: at most so many seconds from now. Answers what deadline_restore takes afterwards. */
double deadline_tighten(double seconds);
void deadline_restore(double before);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C and SIGTERM: the first one asks for the answer so far, the next one ends the process as it always would. */
#ifndef BASE_INTERRUPTION_H
#define BASE_INTERRUPTION_H

#include <signal.h>
#include <stdbool.h>

/* From here on. What is to happen at the second one has to be set up before. */
void interruption_begin(void);
/* From here on one of them ends the process again. None has come. */
void interruption_end(void);

bool interruption_came(void);
/* For what looks at it often: not 0 when one has come. */
volatile sig_atomic_t *interruption_flag(void);

/* There is no answer yet: if one has come, it has its usual effect now. `during`: what was going on, for the announcement; null:
 * there is none. */
void interruption_obey(const char *during);
void interruption_announce(void (*announce)(const char *during));

/* Signals of which this is true are ignored: they come from a program under test. */
void interruption_ignore(bool (*is_foreign)(const siginfo_t *info));

/* Why something was stopped before its end. */
const char *interruption_or_time(void);

#endif

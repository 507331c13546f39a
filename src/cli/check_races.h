/* SPDX-License-Identifier: Apache-2.0 */
/* Races that are not the end: those of --races=report as a list, and those that --suppress leaves out. */
#ifndef CLI_CHECK_RACES_H
#define CLI_CHECK_RACES_H

#include "cli/check.h"

/* Takes races that fall under a rule out of the errors: by what is known without running them again, or, of those that
 * were, by the names of their blocks, too. */
void check_races_suppress(struct check *c);
void check_races_suppress_confirmed(struct check *c);

/* Does a rule cover the race? Counts it then. */
bool check_race_is_suppressed(struct suppressions *s, const struct worker_shared *shared,
                              const struct worker_error *race);

/* What the rules have left out, as text for limits; `all`: and which had nothing to leave out. */
void check_races_add_notes(const struct suppressions *s, bool all,
                           void (*add)(void *context, const char *text), void *context);

/* "3 races:" and a line for each. */
void check_races_add_list(struct text *out, const struct check *c);
/* The members "data_races" and "suppressed". */
void check_races_json(struct json_writer *w, const struct check *c);

#endif

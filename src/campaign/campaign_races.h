/* SPDX-License-Identifier: Apache-2.0 */
/* Races that are not the end: those of --races=report as a list, and those that --suppress leaves out. */
#ifndef CAMPAIGN_CAMPAIGN_RACES_H
#define CAMPAIGN_CAMPAIGN_RACES_H

#include "campaign/campaign.h"

/* Takes races that fall under a rule out of the errors: by what is known without running them again, or, of those that
 * were, by the names of their blocks, too. */
void campaign_races_suppress(struct campaign *c);
void campaign_races_suppress_confirmed(struct campaign *c);

/* Does a rule cover the race? Counts it then. */
bool race_is_suppressed(struct suppressions *s, const struct worker_shared *shared,
                        const struct worker_error *race);

/* What the rules have left out, as text for limits; `all`: and which had nothing to leave out. */
void campaign_races_add_notes(const struct suppressions *s, bool all,
                              void (*add)(void *context, const char *text), void *context);

/* Confirmed ones. */
uint64_t campaign_races_count(const struct campaign *c);

/* "3 races:" and a line for each. */
void campaign_races_add_list(struct text *out, const struct campaign *c);
/* The members "data_races" and "suppressed". */
void campaign_races_json(struct json_writer *w, const struct campaign *c);

#endif

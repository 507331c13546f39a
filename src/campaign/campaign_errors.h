/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of a run: those with the same cause together, each confirmed, saved and explained. */
#ifndef CAMPAIGN_CAMPAIGN_ERRORS_H
#define CAMPAIGN_CAMPAIGN_ERRORS_H

#include "campaign/campaign.h"

/* What the workers found, confirmed as far as that is possible. `start`: base_now() when the run began. */
void campaign_errors_collect(struct campaign *c, double start);

/* Writes the traces of those that were confirmed. */
void campaign_errors_save(struct campaign *c);

/* Is anything but the verdict asked for? */
bool campaign_explains(const struct campaign *c);

/* Their counterexamples, if so. */
void campaign_errors_explain(struct campaign *c);

void campaign_error_free(struct campaign_error *e);
void campaign_errors_free(struct campaign *c);

#endif

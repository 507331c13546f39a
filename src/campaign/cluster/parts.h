/* SPDX-License-Identifier: Apache-2.0 */
/* Explorations of which others have the rest: a shard of what was divided, or a piece for a coordinator. */
#ifndef CAMPAIGN_PARTS_H
#define CAMPAIGN_PARTS_H

#include "campaign/campaign_run.h"

/* Of what workers have divided, the pieces of the shard are what `s` goes on with. */
void parts_take_shard(struct saving *s, const struct campaign_shard *shard,
                      struct campaign_division *division);
/* What is known of synchronization objects in the end goes to the result. */
void parts_keep_objects(const struct saving *s, const struct campaign_division *division,
                        struct campaign_result *result);

/* The work of the piece is what `s` goes on with. base_now() at which it is over; 0: any time. */
double parts_begin_piece(struct saving *s, struct campaign_piece *piece);
/* What is left of it goes back, and its counts to the result. */
void parts_end_piece(struct saving *s, struct campaign_piece *piece, struct campaign_result *result);

#endif

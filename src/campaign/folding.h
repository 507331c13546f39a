/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's part in --fold: what workers need to know, and whether they may have folded a race away. */
#ifndef CAMPAIGN_FOLDING_H
#define CAMPAIGN_FOLDING_H

#include "target/target.h"

/* What workers of the program have to know. */
struct folding {
    struct fold_place *places; /* null: they do not fold */
    uint32_t count;
};

void folding_prepare(struct folding *f, const struct target_program *program);
void folding_plan(const struct folding *f, struct target_run *run);
void folding_free(struct folding *f);

/* After they have ended: */
bool folding_hides_race(struct target_worker *const *workers, uint64_t jobs);
/* ... a client of a test that could have been violated? */
bool folding_hides_client(struct target_worker *const *workers, uint64_t jobs);

#endif

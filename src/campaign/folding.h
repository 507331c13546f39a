/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's part in folding: what workers need to know, and whether they may have folded something away. */
#ifndef CAMPAIGN_FOLDING_H
#define CAMPAIGN_FOLDING_H

#include "target/target.h"

/* Which rounds are folded: none; none, but loops that give up are patient; those in which the thread does not learn that operations of others have ended; all; none until
 * one is found, because folding costs something. */
enum folding_level { FOLDING_NONE, FOLDING_PATIENT, FOLDING_UNKNOWING, FOLDING_ALL, FOLDING_LOOKS };

/* What workers of the program have to know. */
struct folding {
    struct fold_places *places; /* null: they do not fold */
};

void folding_prepare(struct folding *f, const struct target_program *program);
void folding_plan(const struct folding *f, enum folding_level level, struct target_run *run);
void folding_free(struct folding *f);

/* After they have ended: what is folded when all is run again. The same level: it need not be. */
enum folding_level folding_next(enum folding_level level, struct target_worker *const *workers,
                                uint64_t jobs);

/* "without folding: ...", for a level below FOLDING_ALL */
const char *folding_why_less(enum folding_level level);

#endif

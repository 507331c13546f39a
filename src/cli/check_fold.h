/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's part in --fold: what workers need to know, and whether they may have folded a race away. */
#ifndef CLI_CHECK_FOLD_H
#define CLI_CHECK_FOLD_H

#include "target/target.h"

/* What workers of the program have to know. */
struct check_fold {
    struct fold_place *places; /* null: they do not fold */
    uint32_t count;
};

void check_fold_prepare(struct check_fold *f, const struct target_program *program);
void check_fold_plan(const struct check_fold *f, struct target_run *run);
void check_fold_free(struct check_fold *f);

/* After they have ended: */
bool check_fold_hides_race(struct target_worker *const *workers, uint64_t jobs);
/* ... a client of a test that could have been violated? */
bool check_fold_hides_client(struct target_worker *const *workers, uint64_t jobs);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check --checkpoint`: an exploration that goes on where it was killed. */
#ifndef CLI_CHECK_SAVING_H
#define CLI_CHECK_SAVING_H

#include "cli/command.h"
#include "target/target.h"

/* Nothing is saved when `path` is null. */
struct check_saving {
    const char *path;
    struct target_pool *pool;
    struct target_worker *const *workers;
    struct checkpoint state;
    struct checkpoint_counts before; /* of the runs before this one */
    double next;                     /* base_now() at which it is time */
    bool asked;                      /* the workers were asked to save and have not been released */
    bool written, failed;
};

/* Loads the file if there is one, and gives the work to the workers of the pool. False after a diagnostic: it is not
 * of this exploration, or cannot be read. */
bool check_saving_start(struct check_saving *s, const struct target_program *program,
                        const struct worker_config *config, bool quiet);

/* What was counted, by all workers and in the runs before. */
struct checkpoint_counts check_saving_counts(const struct check_saving *s);

/* Called often while workers run: writes the file when it is time. */
void check_saving_tick(struct check_saving *s);
/* Before workers that are still running are stopped. */
void check_saving_now(struct check_saving *s);

/* All workers have ended. `finished`: nothing is left to do. */
void check_saving_end(struct check_saving *s, bool finished, bool quiet);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check --checkpoint`: an exploration that goes on where it was killed. With --shard, one that goes on with its part of
 * what was divided. */
#ifndef CAMPAIGN_SAVING_H
#define CAMPAIGN_SAVING_H

#include "target/target.h"

struct campaign_options;

/* Nothing is saved when `path` is null. */
struct saving {
    const char *path;
    /* `state` has pieces of an exploration to begin with, unless there is a file */
    bool is_part;
    bool keeps;   /* at the end of its time the work that is left stays in `state`, without a file, */
    bool is_kept; /* and does */
    const struct campaign_options *options; /* whose listener hears of it */
    struct target_pool *pool;
    struct target_worker *const *workers;
    struct checkpoint state;
    struct checkpoint_counts before; /* of the runs before this one, and before all was divided */
    double next;                     /* base_now() at which it is time */
    bool asked;                      /* the workers were asked to save and have not been released */
    bool written, failed;
    bool went_on; /* from a file */
    struct checkpoint_lock lock;
};

/* Loads the file if there is one, and gives its work, or that of the part, to the workers of the pool. False: it is not of this exploration, or
 * cannot be read. */
bool saving_start(struct saving *s, const struct target_program *program, const struct worker_config *config,
                  struct diagnostic *why);

/* What was counted, by all workers and in the runs before. */
struct checkpoint_counts saving_counts(const struct saving *s);

/* Called often while workers run: writes the file when it is time. */
void saving_tick(struct saving *s);
/* Before workers that are still running are stopped. */
void saving_now(struct saving *s);

/* Have all workers done what was asked of them? */
bool saving_ended_well(const struct saving *s);

/* All workers have ended. `finished`: nothing is left to do. */
void saving_end(struct saving *s, bool finished);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The explorers: the main header of this folder. Same settings, same executions. */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include "explore/port.h"

/* `runs` executions, each step uniform among the enabled threads. Execution number k depends only on (seed, k); the
 * first one has number `first`. */
struct explorer *explore_random(uint64_t seed, uint64_t first, uint64_t runs);

/* Probabilistic concurrency testing (Burckhardt et al. 2010): random priorities, `depth` - 1 change points among
 * about `length` steps (0: learned from earlier executions). */
struct explorer *explore_pct(uint64_t seed, uint64_t first, uint64_t runs, uint32_t depth, uint32_t length);

/* Every schedule, depth first, without reduction; at most `preemptions` switches away from a thread that could have
 * gone on (UINT32_MAX: any number). */
struct explorer *explore_dfs(uint32_t preemptions);

/* Every schedule in which no operation is interrupted; the program's own choices (branch) are all taken. */
struct explorer *explore_serial(void);

/* Whether DFS left schedules out because of the bound. */
bool explore_dfs_was_bounded(const struct explorer *e);

/* Whether a repeated prefix of choices met other questions than before: the program is not a function of its
 * schedule, and schedules may be missing. */
bool explore_dfs_diverged(const struct explorer *e);

/* One execution: the recorded one. An answer that is not possible ends the recording; explore_replay_diverged
 * says so, and the rest takes first choices. `steps` must outlive the explorer. */
struct explorer *explore_replay(const struct schedule_step *steps, uint32_t count);
bool explore_replay_diverged(const struct explorer *e);

/* One execution, as near to the steps as the program allows: an answer that is not possible is left out, and behind the last one
 * the thread that runs goes on. */
struct explorer *explore_guided(const struct schedule_step *steps, uint32_t count);

static inline void explore_destroy(struct explorer *e)
{
    if (e)
        e->class->destroy(e);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded execution under gdb, on the user's terminal. */
#ifndef TARGET_DEBUG_H
#define TARGET_DEBUG_H

#include "target/process.h"

/* Runs gdb with `options` (`count` words) on the program until its user leaves it. The worker's memory after that,
 * within bounds, for target_debug_free; null, with a diagnostic (PL_CANNOT_RUN): gdb or what it needs is missing. */
struct worker_shared *target_debug(const struct target_program *program, const struct target_run *run,
                                   char *const *options, size_t count, struct diagnostic *why);
void target_debug_free(struct worker_shared *shared);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that the tool and a worker share (engine/shared/protocol.h). */
#ifndef TARGET_WORKER_MEMORY_H
#define TARGET_WORKER_MEMORY_H

#include "target/process.h"

/* In the worker: of this memory, and of that shared with other workers (target/pool.h), if there is any. */
enum { WORKER_DESCRIPTOR = 3, POOL_DESCRIPTOR = 4 };

/* A descriptor of new memory, closed on exec and out of the way of the numbers that a worker uses; or -1. */
int worker_memory_create(void);
/* Maps it and writes down what is to be run; or null. */
struct worker_shared *worker_memory_map(int memory, const struct target_program *program,
                                        const struct target_run *run);
void worker_memory_unmap(struct worker_shared *shared);

#endif

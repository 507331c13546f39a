/* SPDX-License-Identifier: Apache-2.0 */
/* The different histories of a test, over all its executions, and how many of them are wrong (config.count). */
#ifndef WORKER_COUNT_HISTORIES_H
#define WORKER_COUNT_HISTORIES_H

#include "engine/shared/protocol.h"
#include "judge/judge.h"

/* Adds those of one execution, in one order of time, to shared->counted. `numbers`: of its operations in the test. */
void count_histories(struct worker_shared *shared, struct judge *judge, const struct judge_execution *x,
                     const uint32_t *numbers);

#endif

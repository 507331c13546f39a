/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a test of the operations that the program registered (plumb.h), instead of its main function. */
#ifndef WORKER_HARNESS_H
#define WORKER_HARNESS_H

#include "engine/protocol.h"
#include "graph/graph.h"

#include <stdbool.h>

/* Reads the test. False: none was asked for, the program has to run by itself. Ends the worker (WORKER_UNFIT)
 * when the test or the harness is wrong. */
bool harness_prepare(struct worker_shared *shared);

/* One execution of the test, as the body of thread 0. Does not return. */
void harness_run(void *unused);

/* Ends the worker: it cannot run, and this is why. */
_Noreturn void harness_unfit(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Judges a complete execution: of an exploration of graphs for every client, else as it was (`g` is null). Ends the worker
 * when it is not linearizable. */
void harness_judge(const struct graph *g);

#endif

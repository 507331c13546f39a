/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a test of the operations that the program registered (plumb.h), instead of its main function. */
#ifndef WORKER_HARNESS_H
#define WORKER_HARNESS_H

#include "engine/shared/protocol.h"
#include "graph/graph.h"

#include <stdbool.h>

/* Reads the test. False: none was asked for, the program has to run by itself. Ends the worker (WORKER_REFUSED)
 * when the test or the harness is wrong. */
bool harness_prepare(struct worker_shared *shared);

/* One execution of the test, as the body of thread 0. Does not return. */
void harness_run(void *unused);

/* The thread is about to end: not in an operation. */
void harness_check_thread_end(uint32_t thread);

/* Ends the worker: it cannot run, and this is why. */
_Noreturn void harness_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Does the test have to be run serially first (config.serial is SERIAL_NOT), or is that all (SERIAL_ALL)? */
bool harness_derives(void);
/* The next execution is serial (SERIAL_EXECUTION or SERIAL_GRAPH), or not any more (SERIAL_NOT). */
void harness_set_serial(enum worker_serial serial);
/* Did the program start threads of its own in the execution that has ended? */
bool harness_had_helpers(void);
/* One serial execution has ended; all of them have, which may end the worker. */
void harness_note_serial(void);
void harness_end_serials(void);
/* Serial executions once more, with something else that should not matter. Did an operation answer something else? Then
 * what it answers says nothing about the object (LIMIT_DISTURBED). */
enum harness_perturbation { PERTURB_NOTHING, PERTURB_CLOCK, PERTURB_ADDRESSES };
void harness_perturb(enum harness_perturbation what);
bool harness_is_disturbed(void);

/* Judges a complete execution: of an exploration of graphs for every client, else as it was (`g` is null). Ends the worker
 * when it is not linearizable. */
void harness_judge(const struct graph *g);

/* After the end of an execution in which every thread waits forever: does what has returned keep the rules of synchronization? */
void harness_judge_rest(const struct graph *g);

/* As engine_name_operation. */
const char *harness_name_operation(uint32_t thread);
/* The same as harness_judge for one in which every thread waits forever, as engine_judge_stuck. */
const char *harness_judge_stuck(const struct graph *g);

#endif

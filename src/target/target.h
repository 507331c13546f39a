/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's side of a program under test: the main header of this folder.
 *
 *     struct target_program *program = target_build(&source, &why);
 *     struct target_worker *worker = target_start(program, &run, &why);
 *     target_wait(&worker, 1, &watch);
 *     ... target_end_of(worker), target_shared(worker) ...
 *     target_free(worker);
 *     target_program_free(program);
 *
 * Nothing is left behind, whatever happens to the tool short of SIGKILL: workers are killed with all their
 * descendants, temporary folders are removed. For one thread. */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include "target/build.h"
#include "target/checkpoint.h"
#include "target/confirm.h"
#include "target/pool.h"
#include "target/process.h"
#include "target/trace_file.h"

#endif

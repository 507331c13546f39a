/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of all executions, for a worker that goes on after each: those with the same cause together, and of
 * these the execution with the fewest choices.
 *
 * The cause is the kind of error with: race: the places of both accesses and the address; deadlock: the places at
 * which threads wait; a history that is not linearizable: its operations and their results; all others: the
 * innermost calls. The tool, which knows lines and names, puts together what is the same by these. */
#ifndef ENGINE_FINDINGS_H
#define ENGINE_FINDINGS_H

#include "engine/shared/protocol.h"

#include <stdbool.h>

extern bool findings_ignored; /* what is found now is found again later */

/* The next execution begins. */
void findings_begin(void);

/* Adds shared->error, with the schedule up to now. Its number; UINT32_MAX: there is no room, or it is ignored. */
uint32_t findings_add(struct worker_shared *s);
/* An error with the cause of this one, which was added before, happens again; another execution is not kept. False: there
 * is none of this number. */
bool findings_count_again(struct worker_shared *s, uint32_t number);

/* The exploration begins again: nothing was counted. What is kept stays true. */
void findings_recount(struct worker_shared *s);

#endif

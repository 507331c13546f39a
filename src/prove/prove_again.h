/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the events of the shared memory, from the present state, and writes there what operations answered, and which blocks were
 * used again: those that the search chose (`choices`, one for each event), or those that the events name (null). False: the run
 * is not one; prove.problem says why. Private to this folder. */
#ifndef PROVE_AGAIN_H
#define PROVE_AGAIN_H

#include "prove/prove.h"

bool prove_run_events(const int32_t *choices);

/* ---- prove_debug.c: for tools/plumb-gdb.py ---- */

/* So many events of the run have happened. */
void prove_debug_event(uint32_t count);
/* It is at its end, and wrong. */
void prove_debug_error(void);

#endif

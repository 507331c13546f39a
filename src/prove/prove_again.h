/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the events of the shared memory, from the present state, and writes there what operations answered, and which blocks were
 * used again: those that the search chose (`choices`, one for each event), or those that the events name (null). False: the run
 * is not one; prove.problem says why. Private to this folder. */
#ifndef PROVE_AGAIN_H
#define PROVE_AGAIN_H

#include "prove/prove.h"

bool prove_run_events(const int32_t *choices);

#endif

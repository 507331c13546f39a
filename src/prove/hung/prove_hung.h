/* SPDX-License-Identifier: Apache-2.0 */
/* States from which no open operation ever returns unless another one is called: all of them wait, or go round. Found from the steps of a search, when it
 * is complete. Private to this folder. */
#ifndef PROVE_HUNG_H
#define PROVE_HUNG_H

#include <stdbool.h>
#include <stdint.h>

enum { PROVE_HUNG_RETURNS = UINT32_MAX };

void prove_hung_clear(void);
/* A step of an open operation leads from image to image; RETURNS: out of it, or where is not known. */
void prove_hung_note(uint32_t image, uint32_t next);
/* After a search that was complete, with images 0 to count - 1: is there such a state, in which `is_open` says that operations are open? */
bool prove_hung_find(uint32_t count, bool (*is_open)(uint32_t image));
/* Is this one of those, as was found? */
bool prove_hung_is(uint32_t image);

/* In a run, from the present state on: does no open operation ever return, unless another one is called? All ways on are followed. prove.problem says
 * what the thread's operation does instead. */
bool prove_never_returns(unsigned thread);

#endif
